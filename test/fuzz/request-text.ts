/**
 * An HTTP request as bytes for the fuzzer, and honest ones to begin with. The layout
 * is HTTP's own in its plainest form; what does not have it is no request and is not
 * given to the check.
 *
 * Pure.
 */
import type { Header, Received, Server } from "../property/oracle/mac-rules.ts";
import { MAC_HEADERS, macOf, SIGNATURE_HEADER } from "../property/oracle/mac-rules.ts";
import { mutateBytes, pick } from "./mutate.ts";
import type { Choose } from "./target.ts";

const SECRET = new Uint8Array(32).fill(5);
export const SERVER: Server = {
  providerId: "prov",
  instanceId: "inst",
  secrets: new Map([
    ["key-1", SECRET],
    ["key-2", new Uint8Array(32).fill(6)],
  ]),
  nowSeconds: 1_788_264_060,
};

/** `METHOD target`, then headers, each on a line, an empty line, and the body. */
export function encodeRequest({ method, target, headers, body }: Received): Buffer {
  const lines = [`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(lines.join("\n"), "latin1"), body]);
}

export function decodeRequest(bytes: Buffer): Received | null {
  const end = bytes.indexOf("\n\n");
  if (end === -1) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\n");
  const [method = "", target = ""] = first.split(/ (.*)/s);
  if (method !== "GET" && method !== "POST") return null;
  const headers = lines.map((line): Header => {
    const [name = "", value = ""] = line.split(/: (.*)/s);
    return [name, value];
  });
  return { method, target, headers, body: bytes.subarray(end + 2) };
}

/** The same request with the MAC that its parts have, under the key it names. */
function macAnew(received: Received): Received {
  const headerOf = (wanted: string) => received.headers.find(([name]) => name === wanted)?.[1] ?? "";
  const [profile = "", ...rest] = MAC_HEADERS.map(headerOf);
  const secret = SERVER.secrets.get(headerOf("X-AtMem-Key-Id")) ?? SECRET;
  const lines = [profile, received.method, headerOf("Host"), received.target, ...rest];
  const mac = macOf(secret, lines, received.body);
  const headers = received.headers.map(
    (header): Header => (header[0] === SIGNATURE_HEADER ? [header[0], mac] : header),
  );
  return { ...received, headers };
}

export function requestSeeds(choose: Choose): readonly Buffer[] {
  return Array.from({ length: 60 }, () => {
    const issued = SERVER.nowSeconds - 25 + choose(30);
    const nonce = Array.from({ length: 64 }, () => "0123456789abcdef".charAt(choose(16))).join("");
    const key = choose(2) === 0 ? "key-1" : "key-2";
    const values = [
      "atmem-hmac-sha256-v1",
      "prov",
      "inst",
      key,
      String(issued),
      String(issued + 1 + choose(30)),
      nonce,
    ];
    const headers = [
      ["Host", "127.0.0.1:8788"],
      ...MAC_HEADERS.map((name, at) => [name, values[at] ?? ""]),
      [SIGNATURE_HEADER, ""],
    ] as unknown as Header[];
    const isHealth = choose(3) === 0;
    return encodeRequest(
      macAnew({
        method: isHealth ? "GET" : "POST",
        target: isHealth ? "/health" : "/v1/delegated-context",
        headers,
        body: Buffer.from(isHealth ? "" : '{"query":"a test"}'),
      }),
    );
  });
}

const VALUES = [
  "",
  "0",
  "00",
  " 1",
  "1788264060",
  "1788264090",
  "1788264091",
  "1e9",
  "prov",
  "inst",
  "key-1",
  "key-2",
  "x",
];

/** Bytes, or whole headers; half of the time the MAC is made anew. */
export function mutateRequest(bytes: Buffer, other: Buffer, choose: Choose): Buffer {
  const received = choose(3) === 0 ? null : decodeRequest(bytes);
  if (received === null) return mutateBytes(bytes, other, choose);
  const headers = [...received.headers];
  const at = choose(headers.length);
  const [name, value] = headers[at] ?? ["", ""];
  const kind = choose(5);
  if (kind === 0) headers.splice(at, 1);
  else if (kind === 1) headers.splice(choose(headers.length), 0, [name, value]);
  else if (kind === 2) headers[at] = [name.toUpperCase(), value];
  else if (kind === 3) headers[at] = [name, pick(VALUES, choose) ?? ""];
  else headers[at] = [name, mutateBytes(Buffer.from(value), other.subarray(0, 8), choose).toString("latin1")];
  const changed = { ...received, headers };
  return encodeRequest(choose(2) === 0 ? macAnew(changed) : changed);
}

/**
 * An own RFC 8785 serialiser for the contract's subset of JSON: keys in the order of
 * their UTF-16 code units, the shortest escapes, integers. It shares no code with the
 * library that the plugin uses, nor JSON.stringify's escaping.
 *
 * Pure. Source: RFC 8785 §3.2.
 */
const SHORT_ESCAPES = new Map([
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
]);

/** The canonical text, or null for a value that has none in the subset. */
export function canonicalOf(value: unknown): string | null {
  if (value === null) return "null";
  if (value === true) return "true";
  if (value === false) return "false";
  if (typeof value === "number") return integer(value);
  if (typeof value === "string") return string(value);
  if (Array.isArray(value)) return joined("[", Array.from(value, canonicalOf), "]");
  if (typeof value !== "object" || !isPlain(value)) return null;
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members).sort(byCodeUnits);
  return joined(
    "{",
    keys.map((key) => {
      const [name, member] = [string(key), canonicalOf(members[key])];
      return name === null || member === null ? null : `${name}:${member}`;
    }),
    "}",
  );
}

function joined(open: string, parts: readonly (string | null)[], close: string): string | null {
  return parts.includes(null) ? null : open + parts.join(",") + close;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function integer(value: number): string | null {
  if (Math.floor(value) !== value || Math.abs(value) > 9_007_199_254_740_991) return null;
  return BigInt(value).toString();
}

/** Nothing to escape, nothing to look at twice. */
const PLAIN = /^[ !#-[\]-~]*$/;

function string(text: string): string | null {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isHigh = unit >= 0xd800 && unit <= 0xdbff;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow) return null;
    if (isHigh) {
      const next = text.charCodeAt(at + 1);
      if (!(next >= 0xdc00 && next <= 0xdfff)) return null;
      out += String.fromCharCode(unit, next);
      at += 1;
    } else out += SHORT_ESCAPES.get(unit) ?? (unit < 0x20 ? `\\u00${hex2(unit)}` : String.fromCharCode(unit));
  }
  return `${out}"`;
}

function hex2(unit: number): string {
  return "0123456789abcdef".charAt(unit >> 4) + "0123456789abcdef".charAt(unit & 15);
}

/** Code unit by code unit, then the shorter one. */
function byCodeUnits(a: string, b: string): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = a.charCodeAt(at) - b.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * Base64, UTF-8 and UTC timestamps written down once more, straight from the tables
 * of their RFCs and without any platform decoder, so that two readings can be compared.
 *
 * Pure. Source: RFC 4648 §4; RFC 3629 §4 (the ABNF); RFC 3339 §5.6, and Howard
 * Hinnant's `days_from_civil` for the calendar.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Canonical padded base64: three bytes are one number of four digits. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const group = first * 65_536 + second * 256 + third;
    const digits = [262_144, 4096, 64, 1].map((weight) => ALPHABET[Math.floor(group / weight) % 64]).join("");
    text += digits.slice(0, Math.min(bytes.length - at, 3) + 1);
  }
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

/** The bytes of a canonical text, or null. */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes: number[] = [];
  // What is known so far of the byte that is being put together, and how many bits that is.
  let [rest, bits] = [0, 0];
  for (const char of text.slice(0, text.length - padding)) {
    const value = ALPHABET.indexOf(char);
    if (value === -1) return null;
    [rest, bits] = [rest * 64 + value, bits + 6];
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(rest >> bits);
    rest %= 2 ** bits;
  }
  return rest === 0 && bits === padding * 2 ? Uint8Array.from(bytes) : null;
}

/** Per lead byte: how many bytes follow, and the range of the first of them. */
function followersOf(lead: number): { count: number; least: number; most: number } | null {
  if (lead <= 0x7f) return { count: 0, least: 0x80, most: 0xbf };
  if (lead >= 0xc2 && lead <= 0xdf) return { count: 1, least: 0x80, most: 0xbf };
  if (lead === 0xe0) return { count: 2, least: 0xa0, most: 0xbf };
  if (lead === 0xed) return { count: 2, least: 0x80, most: 0x9f };
  if (lead >= 0xe1 && lead <= 0xef) return { count: 2, least: 0x80, most: 0xbf };
  if (lead === 0xf0) return { count: 3, least: 0x90, most: 0xbf };
  if (lead >= 0xf1 && lead <= 0xf3) return { count: 3, least: 0x80, most: 0xbf };
  if (lead === 0xf4) return { count: 3, least: 0x80, most: 0x8f };
  return null;
}

/** The text of well-formed UTF-8, a BOM included; null for any other bytes. */
export function textOfUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const ascii = asciiAt(bytes, at);
    if (ascii.length > 0) {
      parts.push(String.fromCharCode(...ascii));
      at += ascii.length;
      continue;
    }
    const lead = bytes[at] ?? 0;
    const followers = followersOf(lead);
    if (followers === null || at + followers.count >= bytes.length) return null;
    let point = followers.count === 0 ? lead : lead & (0x3f >> followers.count);
    for (let next = 1; next <= followers.count; next += 1) {
      const byte = bytes[at + next] ?? 0;
      const [least, most] = next === 1 ? [followers.least, followers.most] : [0x80, 0xbf];
      if (byte < least || byte > most) return null;
      point = (point << 6) | (byte & 0x3f);
    }
    parts.push(String.fromCodePoint(point));
    at += followers.count + 1;
  }
  return parts.join("");
}

/** The bytes below 0x80 from a place on, some thousand at most: each is its own character. */
function asciiAt(bytes: Uint8Array, from: number): Uint8Array {
  let to = from;
  while (to < bytes.length && to < from + 4096 && (bytes[to] ?? 0) < 0x80) to += 1;
  return bytes.subarray(from, to);
}

/** UTF-8 of a well-formed text. */
export function utf8Of(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), tail(0));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), tail(6), tail(0));
    else bytes.push(0xf0 | (point >> 18), tail(12), tail(6), tail(0));
  }
  return Uint8Array.from(bytes);
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Nanoseconds since 1970 of a timestamp in the contract's spelling, or null. */
export function nanosOfTimestamp(text: string): bigint | null {
  const [seconds, fraction] = [text.slice(0, 19), text.slice(19)];
  if (![...seconds].every((char, at) => fitsTemplate(char, "0000-00-00T00:00:00"[at] ?? ""))) return null;
  if (seconds.length !== 19 || !fraction.endsWith("Z")) return null;
  const digits = fraction.slice(1, -1);
  const hasFraction = fraction !== "Z";
  if (hasFraction && !(fraction.startsWith(".") && digits.length >= 1 && digits.length <= 9)) return null;
  if ([...digits].some((char) => !isDigit(char))) return null;
  const number = (from: number, to: number) => Number(seconds.slice(from, to));
  const [year, month, day] = [number(0, 4), number(5, 7), number(8, 10)];
  const [hour, minute, second] = [number(11, 13), number(14, 16), number(17, 19)];
  if (year === 0 || hour > 23 || minute > 59 || second > 59) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const total = BigInt(daysFromCivil(year, month, day)) * 86_400n + BigInt(hour * 3600 + minute * 60 + second);
  return total * 1_000_000_000n + BigInt((hasFraction ? digits : "").padEnd(9, "0"));
}

function fitsTemplate(char: string, template: string): boolean {
  return template === "0" ? isDigit(char) : char === template;
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char.length === 1;
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

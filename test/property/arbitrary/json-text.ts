/**
 * Random JSON texts, most of them nearly right: random white space, escapes, number
 * spellings, keys that repeat under another spelling, surrogates in every state, and
 * now and then something that is not JSON at all.
 */
import fc from "fast-check";
import { byteChange, changeBytes } from "./byte-change.ts";

const space = fc.oneof(
  { weight: 30, arbitrary: fc.constant("") },
  { weight: 12, arbitrary: fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom("\f", "\v", "\u00a0", "\ufeff", "\u2028", "//", "\0") },
);

const hexUnit = (least: number, most: number) =>
  fc.tuple(fc.integer({ min: least, max: most }), fc.boolean()).map(([unit, upper]) => {
    const hex = unit.toString(16).padStart(4, "0");
    return `\\u${upper ? hex.toUpperCase() : hex}`;
  });

const piece = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 4 }).map((text) => text.replace(/["\\]/g, "")),
  },
  {
    weight: 6,
    arbitrary: fc.string({ unit: "binary", maxLength: 2 }).map((text) => text.replace(/["\\\p{Cc}]/gu, "")),
  },
  { weight: 6, arbitrary: fc.constantFrom('\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t") },
  { weight: 4, arbitrary: hexUnit(0, 0xd7ff) },
  { weight: 2, arbitrary: fc.tuple(hexUnit(0xd800, 0xdbff), hexUnit(0xdc00, 0xdfff)).map((pair) => pair.join("")) },
  { weight: 1, arbitrary: hexUnit(0xd800, 0xdfff) },
  { weight: 1, arbitrary: fc.constantFrom("\\x41", "\\u12", "\\uD8zz", "\\", "\n", "\u0000", "\t", "\u001f", "\\'") },
  { weight: 1, arbitrary: fc.constantFrom("\u007f", "\u2028", "\ufeff", "\uffff", "\u{10ffff}", "🧭", "\ufffd") },
);

const stringText = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join("")}"`);

const numberText = fc.oneof(
  { weight: 8, arbitrary: fc.maxSafeInteger().map(String) },
  { weight: 8, arbitrary: fc.integer({ min: -20, max: 20 }).map(String) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...["-0", "1.0", "1e2", "1E+2", "0e0", "01", "-01", "+1", ".5", "1.", "0x1", "--1", "-", "1e", "1_0", "1-2"],
      ...["9007199254740991", "-9007199254740991", "9007199254740992", "1e400", "NaN", "Infinity", "00", "1e-1"],
    ),
  },
);

const wordText = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("true", "false", "null") },
  { weight: 1, arbitrary: fc.constantFrom("True", "nul", "truefalse", "undefined", "nullx", "") },
);

const keyText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('"a"', '"b"', '"c"', '"d"', '"e"', '"f"', '"g"', '"h"', '"__proto__"', '""'),
  },
  { weight: 4, arbitrary: fc.constantFrom('"a"', '"b"', '"\\u0061"', '"\\u0062"') },
  { weight: 2, arbitrary: fc.constantFrom('"\\u0061"', '"\\u0062"', '"toString"', '"constructor"', '"🧭"') },
  { weight: 4, arbitrary: stringText },
  { weight: 1, arbitrary: fc.constantFrom("a", "1", "'a'", "null") },
);

const comma = fc.oneof(
  { weight: 80, arbitrary: fc.constant(",") },
  { weight: 1, arbitrary: fc.constantFrom(",,", "", ";", ", ]") },
);

/** `open`, the parts with commas between, `close`; a few with a comma too many or the wrong end. */
function listText(open: string, part: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> {
  const end = fc.oneof(
    { weight: 80, arbitrary: fc.constant(close) },
    { weight: 1, arbitrary: fc.constantFrom(`,${close}`, "", "]", "}") },
  );
  return fc.tuple(fc.array(fc.tuple(part, comma), { maxLength: 4 }), end).map(([parts, last]) => {
    const inside = parts.map(([text, separator], at) => (at === 0 ? text : separator + text)).join("");
    return open + inside + last;
  });
}

const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: numberText },
    { weight: 3, arbitrary: stringText },
    { weight: 2, arbitrary: wordText },
    { weight: 4, arbitrary: tie("array") },
    { weight: 4, arbitrary: tie("object") },
  ),
  array: listText(
    "[",
    fc.tuple(space, tie("value"), space).map((parts) => parts.join("")),
    "]",
  ),
  object: listText(
    "{",
    fc
      .tuple(space, keyText, space, tie("value"), space)
      .map(([before, key, middle, member, after]) => `${before}${key}${middle}:${member}${after}`),
    "}",
  ),
}));

/** A value under 12 to 18 more containers: the limit is 16. */
const deep = fc
  .tuple(fc.integer({ min: 12, max: 18 }), fc.infiniteStream(fc.boolean()), value)
  .map(([depth, isArray, inner]) => {
    const kinds = [...isArray.take(depth)];
    const open = kinds.map((array) => (array ? "[" : '{"k":')).join("");
    return (
      open +
      inner +
      kinds
        .reverse()
        .map((array) => (array ? "]" : "}"))
        .join("")
    );
  });

const document = fc
  .tuple(space, fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: deep }), space)
  .map((parts) => parts.join(""));

/** The bytes of a text, a third of them changed in one to three places. */
export const jsonBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(document, fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(byteChange, { maxLength: 3 })))
  .map(([text, changes]) => changes.reduce<Buffer>(changeBytes, Buffer.from(text, "utf8")));

/** Texts without any change of their bytes. */
export const jsonDocument: fc.Arbitrary<string> = document;

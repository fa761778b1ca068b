/**
 * Text ↔ bytes with one spelling only: canonical base64, exact UTF-8, lower-case hex.
 *
 * Source: contract §3; field cases B27, B29.
 */
import { describe, expect, it } from "vitest";
import { utf8Bytes } from "../../src/core/bytes.ts";
import { decodeBase64, decodeUtf8, fromCanonicalBase64, toBase64, toHex } from "../../src/core/index.ts";
import { refusalOf } from "./refusal.ts";

describe("base64", () => {
  it.each([
    ["", ""],
    ["Zg==", "66"],
    ["Zm8=", "666f"],
    ["Zm9v", "666f6f"],
    ["AAAA", "000000"],
    ["+/+/", "fbffbf"],
    ["/w==", "ff"],
  ])("%j", (text, hex) => {
    expect(toHex(decodeBase64(text))).toBe(hex);
    expect(toBase64(Buffer.from(hex, "hex"))).toBe(text);
  });

  it.each([
    "Zg",
    "Zg=",
    "Zg===",
    "Zm9v=",
    "Zm9vZ",
    "Zh==",
    "Zm9=",
    "Zm8\u003d ",
    " Zm8=",
    "Zm\n8=",
    "Zm8=\n",
    "Zm-_",
    "Zm9v!",
    "=Zm8",
    "Zg==Zg==",
    "Z",
    "=",
    "====",
    "Zм9v",
    "Zm９v",
    "Zm9v\u0000",
  ])("%j has another spelling or none", (text) => {
    expect(fromCanonicalBase64(text)).toBeNull();
    expect(refusalOf(() => decodeBase64(text))).toEqual({
      code: "context_base64",
      stage: "verify",
      detail: "not_canonical",
    });
  });

  it("refuses each of the spare-bit twins of a 32-byte and a 64-byte value", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const accepted = [32, 64].map((length) => {
      const text = toBase64(Buffer.alloc(length, 0xa5));
      const at = text.indexOf("=") - 1;
      const twins = [...alphabet].map((letter) => text.slice(0, at) + letter + text.slice(at + 1));
      return twins.filter((twin) => fromCanonicalBase64(twin) !== null).length;
    });
    // Two spare bits: a quarter is canonical. Four: a sixteenth.
    expect(accepted).toEqual([16, 4]);
  });
});

describe("UTF-8", () => {
  it.each([
    ["", ""],
    ["61", "a"],
    ["00", "\u0000"],
    ["efbbbf61", "\ufeffa"],
    ["efbfbd", "\ufffd"],
    ["efbfbf", "\uffff"],
    ["ed9fbf", "\ud7ff"],
    ["ee8080", "\ue000"],
    ["f48fbfbf", "\u{10ffff}"],
    ["f09fa7ad0d0a", "🧭\r\n"],
    ["65cc81", "e\u0301"],
  ])("%s", (hex, text) => {
    expect(decodeUtf8(Buffer.from(hex, "hex"))).toBe(text);
    expect(toHex(utf8Bytes(text))).toBe(hex);
  });

  it.each([
    "80",
    "ff",
    "fe",
    "c080",
    "c1bf",
    "e08080",
    "e09fbf",
    "eda080",
    "edbfbf",
    "f08fbfbf",
    "f4908080",
    "f5808080",
    "c2",
    "e282",
    "f09fa7",
    "61ff",
    "c2c2a9",
  ])("%s is ill-formed", (hex) => {
    expect(refusalOf(() => decodeUtf8(Buffer.from(hex, "hex")))).toEqual({
      code: "context_utf8",
      stage: "verify",
      detail: "not_utf8",
    });
  });

  it("keeps no state from a text that broke off", () => {
    refusalOf(() => decodeUtf8(Buffer.from("e282", "hex")));
    expect(decodeUtf8(Buffer.from("61", "hex"))).toBe("a");
    expect(refusalOf(() => decodeUtf8(Buffer.from("ac", "hex")))).not.toBe("not refused");
  });
});

it("hex and base64 look at a view only", () => {
  const view = new Uint8Array(Buffer.from("00112233", "hex").buffer.slice(0)).subarray(0, 0);
  expect([toHex(view), toBase64(view)]).toEqual(["", ""]);
  const inner = new Uint8Array([9, 0xab, 0xcd, 9]).subarray(1, 3);
  expect([toHex(inner), toBase64(inner)]).toEqual(["abcd", "q80="]);
});

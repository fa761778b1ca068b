/** Addresses: every link of ours is understood, everything else is said plainly. Issue D, "Pages" (bad query values). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listLink, NO_FILTER, pageLink, turnLink } from "../../src/operator/pages/links.ts";
import { AUTHORIZATIONS, DELIVERIES, parseQuery } from "../../src/operator/pages/query.ts";

const KEY = "ab".repeat(32);

describe("links of ours", () => {
  it("are read as what they were made from, for any ids", () => {
    const id = fc.option(fc.string({ minLength: 1, maxLength: 256 }).filter((text) => text.isWellFormed()));
    const query = fc.record({
      workspace: id,
      agent: id,
      authorization: fc.option(fc.constantFrom(...AUTHORIZATIONS)),
      delivery: fc.option(fc.constantFrom(...DELIVERIES)),
      before: fc.option(fc.integer({ min: 1, max: 1e12 })),
    });
    fc.assert(
      fc.property(query, (filters) => {
        expect(parseQuery(listLink(filters).slice(1))).toEqual({ page: "turns", ...filters });
      }),
    );
  });

  it("to a turn, a page, and the whole list", () => {
    expect(parseQuery(turnLink(KEY).slice(1))).toEqual({ page: "turn", turnKey: KEY });
    expect(parseQuery(pageLink("trust").slice(1))).toEqual({ page: "trust" });
    expect([listLink(NO_FILTER), parseQuery("")]).toEqual(["?", { page: "turns", ...NO_FILTER }]);
  });
});

describe("everything else", () => {
  it.each([
    ["workspce=ws", /no parameter “workspce”/, /Use turn, run, page, workspace/],
    ["agent=a&agent=b", /agent is there twice/, /Keep one/],
    ["turn=xyz", /“xyz” is no turn key/, /64 lower-case/],
    [`turn=${KEY.toUpperCase()}`, /no turn key/, /take one of the list/],
    [`turn=${KEY}&agent=a`, /turn stands alone/, /Take the others away/],
    ["page=secrets", /no page “secrets”/, /latency or trust/],
    ["run=", /run is empty/, /Give an id/],
    [`run=${"x".repeat(2_000)}`, /longer than 1024/, /the whole id/],
    ["authorization=yes", /no authorization “yes”/, /verified, withheld, rejected/],
    ["delivery=delivered", /no delivery “delivered”/, /injected, pending, not_injected, failed/],
    ["before=0", /“0” is no place/, /whole number/],
    ["before=1e3", /“1e3” is no place/, /whole number/],
    ["before=9999999999999999", /is no place/, /whole number/],
    ["workspace=", /workspace is empty/, /leave workspace out/],
  ])("%s", (query, what, repair) => {
    expect(parseQuery(query)).toEqual({ what: expect.stringMatching(what), repair: expect.stringMatching(repair) });
  });

  it("no text at all makes it throw", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (query) => void parseQuery(query)));
  });
});

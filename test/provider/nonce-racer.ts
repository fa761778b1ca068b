// A process that reserves the nonces n0 … n(count-1) of one ledger and prints its verdicts as JSON.
// Usage: nonce-racer.ts LEDGER COUNT NOW_SECONDS

import { openRequestNonceLedger } from "../../src/store/request-nonce-ledger.ts";

const [path = "", count = "0", nowSeconds = "0"] = process.argv.slice(2);
const ledger = openRequestNonceLedger(path, { now: () => Number(nowSeconds) * 1_000, busyLimitMs: 20_000 });
const verdicts: string[] = [];
for (let n = 0; n < Number(count); n += 1) {
  const expiresSeconds = Number(nowSeconds) + 30;
  const { verdict } = await ledger.reserve({ providerId: "p", instanceId: "i", requestNonce: `n${n}`, expiresSeconds });
  verdicts.push(verdict);
}
ledger.close();
process.stdout.write(JSON.stringify(verdicts));

/**
 * Waits for evidence to be written, but not for long: a state file that another
 * process holds must not hold a user's turn. The writing itself goes on.
 *
 * I/O: a timer. Source: design §6 (fail closed, the turn goes on); field case B44.
 */

/** Milliseconds; a commit takes a few. */
const PATIENCE_MS = 250;

/** @returns what `work` came to, or undefined if it is still under way. `work` must not reject. */
export async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}

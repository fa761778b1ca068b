/**
 * Reads the pages' own markup as strictly as it is written: every tag and attribute in
 * order. Whatever is not in that form fails the test.
 */
export interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const TAG = /<(\/?[a-z][a-z0-9]*|!doctype)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)\/?>/g;
/** Tags that part no words. */
const INLINE = /<\/?(?:span|bdi|code|a|strong|time)(?: [^<>]*)?>/g;
const ATTRIBUTE = / ([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g;

/** @throws if something that is not a tag of ours could be read as one. */
export function tagsOf(page: string): readonly Tag[] {
  // What style and script hold is no markup.
  const markup = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "<$1></$1>");
  const rest = markup.replace(TAG, "");
  if (/[<>]/.test(rest)) throw new TypeError(`not markup of ours: ${/.{0,60}[<>].{0,60}/s.exec(rest)?.[0]}`);
  return [...markup.matchAll(TAG)].map(([, name = "", attributes = ""]) => ({
    name,
    attributes: Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value]) => [key, value ?? ""]),
    ),
  }));
}

export function count(page: string, name: string): number {
  return tagsOf(page).filter((tag) => tag.name === name).length;
}

/** Text as a browser would show it: the escapes of ours undone. */
export function textOf(page: string): string {
  return page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replace(INLINE, "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}

/**
 * Reads TypeScript just well enough to hold our rules: which text is code, which is a
 * comment or a string; what a file imports; where functions begin and end. No parser:
 * it knows the style of this repository and fails loudly on unbalanced braces.
 *
 * I/O: file system. Source: design §2, §9, §10.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and the insides of strings blanked; same length, same lines. */
  readonly code: string;
  /** The insides of string literals without escapes. */
  readonly strings: readonly string[];
}

/** All TypeScript files under a folder of the repository. */
export function sourceFiles(folder: string): SourceFile[] {
  const entries = readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => readSource(relative(REPOSITORY, join(entry.parentPath, entry.name))))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readSource(path: string): SourceFile {
  return scan(path, readFileSync(join(REPOSITORY, path), "utf8"));
}

/** What may stand before a `/` that begins a regular expression. */
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[\n]|=>|\breturn)\s*$/;
/** A comment, a string, a template (up to its first `${` or its end), or a regular expression, at a position. */
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** Splits a text into code and the rest. */
export function scan(path: string, text: string): SourceFile {
  const strings: string[] = [];
  let code = "";
  /** For each open `${`: how many braces are open inside it. */
  const templates: number[] = [];
  const matchAt = (pattern: RegExp) => {
    pattern.lastIndex = code.length;
    return pattern.exec(text)?.[0];
  };
  const blank = (part: string) => {
    code += part.replace(/[^\n]/g, " ");
  };
  const template = () => {
    blank(matchAt(TEMPLATE_PART) ?? "");
    if (text[code.length] === "`") code += "`";
    else {
      code += "${";
      templates.push(0);
    }
  };
  while (code.length < text.length) {
    const char = text[code.length] ?? "";
    const quoted = matchAt(QUOTED);
    const skipped = matchAt(COMMENT) ?? (BEFORE_REGEX.test(code.slice(-40)) ? matchAt(REGEX) : undefined);
    if (quoted !== undefined) {
      strings.push(quoted.slice(1, -1));
      code += `"${" ".repeat(quoted.length - 2)}"`;
    } else if (skipped !== undefined) blank(skipped);
    else if (char === "`") {
      code += "`";
      template();
    } else if (char === "}" && templates.at(-1) === 0) {
      templates.pop();
      code += "}";
      template();
    } else {
      const open = templates.length - 1;
      if (open >= 0 && char === "{") templates[open] = (templates[open] ?? 0) + 1;
      if (open >= 0 && char === "}") templates[open] = (templates[open] ?? 0) - 1;
      code += char;
    }
  }
  return { path, text, code, strings };
}

/** Repository paths of the files that a file imports by a relative path. */
export function relativeImports({ path, strings }: SourceFile): string[] {
  return strings
    .filter((text) => /^\.\.?\//.test(text) && text.endsWith(".ts"))
    .map((text) => posix.normalize(`${dirname(path)}/${text}`));
}

/** The packages (and their subpaths) among the given ones that a file names in any string: also dynamic imports. */
export function namesPackage({ strings }: SourceFile, name: string): boolean {
  return strings.some((text) => text === name || text.startsWith(`${name}/`));
}

export interface FunctionSpan {
  /** From 1. */
  readonly line: number;
  /** From the line of the opening brace to that of the closing one. */
  readonly lines: number;
}

const NOT_A_FUNCTION =
  /^(?:\}?\s*else\b|if\b|for\b|while\b|switch\b|catch\b|do\b|try\b|class\b|interface\b|export\s+(?:interface|class)\b)/;

/** Each function with a body in braces. */
export function functionsOf({ path, code }: SourceFile): FunctionSpan[] {
  const open: { readonly line: number; readonly isFunction: boolean; readonly parentheses: number }[] = [];
  const found: FunctionSpan[] = [];
  let [line, since, parentheses] = [1, 0, 0];
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at];
    if (char === "\n") line += 1;
    else if (char === "(") parentheses += 1;
    else if (char === ")") parentheses -= 1;
    else if (char === "{") {
      open.push({ line, isFunction: isFunctionHeader(code.slice(since, at)), parentheses });
      parentheses = 0;
    } else if (char === "}") {
      const start = open.pop();
      if (start === undefined) throw new Error(`${path}:${line}: unbalanced brace`);
      if (start.isFunction) found.push({ line: start.line, lines: line - start.line + 1 });
      parentheses = start.parentheses;
    }
    // A semicolon inside parentheses belongs to a `for`.
    if (char === "{" || char === "}" || (char === ";" && parentheses === 0)) since = at + 1;
  }
  if (open.length > 0) throw new Error(`${path}: unbalanced brace`);
  return found;
}

/** True for the text before a `{` that opens a function's body. */
function isFunctionHeader(header: string): boolean {
  const text = header.trim();
  if (text.endsWith("=>")) return true;
  // Control flow, a class, or a type in braces.
  if (NOT_A_FUNCTION.test(text) || /[<:|&,]$/.test(text)) return false;
  // The end of a return type that has braces itself; or a parameter list, perhaps with a return type.
  return /^[>\])|\s]*$/.test(text) || /\)\s*(?::\s*[^=\s][^=]*)?$/.test(text);
}

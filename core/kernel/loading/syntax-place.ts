import {readFileSync} from 'node:fs';
import {stripTypeScriptTypes} from 'node:module';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

/** Where the code of a module cannot be read. */
export interface SyntaxPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line itself, without the space around it. */
  readonly text: string;
}

/** Maximum modules of a plugin that are searched. */
const mostFiles = 200;
const longestText = 200;

/** `FILE:LINE` on the first line of a stack, which Node.js writes for some errors only. */
const decorated = /^(?<file>(?:\/|file:|[A-Za-z]:\\).*):(?<line>\d+)\n/;

/**
 * The place of the syntax error that made an import fail. Node.js would print it for an uncaught error, but does not put it into the error.
 *
 * @param file the module that was imported; the error may be in one that it imports
 * @returns undefined if it is no syntax error, or its place cannot be found
 */
export function syntaxPlace(error: unknown, file: string): SyntaxPlace | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  return placeInStack(error) ?? placeInSources(error.message, file);
}

function placeInStack({stack = ''}: Error): SyntaxPlace | undefined {
  const {file, line} = decorated.exec(stack)?.groups ?? {};
  if (file === undefined || line === undefined) return undefined;
  return placeAt(file.startsWith('file:') ? fileURLToPath(file) : file, Number(line));
}

/** Reads the modules again that the import has read, with a parser that says where it stops. */
function placeInSources(message: string, first: string): SyntaxPlace | undefined {
  const files = [first];
  for (const file of files) {
    let source: string;
    try {
      source = readFileSync(file, 'utf8');
    } catch {
      continue;
    }
    const error = parseError(source, file);
    const place = error ? placeInStack(error) : placeOfEarlyError(message, source, file);
    if (place) return place;
    for (const [, specifier] of source.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"\n]+)['"]/g)) {
      const imported = resolve(dirname(file), specifier!);
      if (files.length < mostFiles && !files.includes(imported)) files.push(imported);
    }
  }
  return undefined;
}

function parseError(source: string, file: string): Error | undefined {
  const {emitWarning} = process;
  try {
    // The warning that this feature of Node.js is experimental would only confuse the author of the mistake.
    process.emitWarning = () => undefined;
    stripTypeScriptTypes(source, {sourceUrl: file});
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Errors that only V8 finds: names that are declared twice, and decorators that were not compiled. */
function placeOfEarlyError(message: string, source: string, file: string): SyntaxPlace | undefined {
  const lines = source.split('\n');
  const twice = /^Identifier '(?<name>[\w$]+)' has already been declared/.exec(message)?.groups?.['name'];
  const wanted =
    twice === undefined
      ? message === 'Invalid or unexpected token'
        ? /^\s*@/
        : undefined
      : new RegExp(
          String.raw`^\s*(?:export\s+)?(?:const|let|var|class|(?:async\s+)?function\*?|import)\b.*?(?<![\w$])${twice.replaceAll('$', String.raw`\$`)}(?![\w$])`,
        );
  const line =
    wanted === undefined
      ? -1
      : twice === undefined
        ? lines.findIndex((each) => wanted.test(each))
        : lines.findLastIndex((each) => wanted.test(each));
  return line < 0 ? undefined : placeAt(file, line + 1);
}

function placeAt(file: string, line: number): SyntaxPlace {
  let text = '';
  try {
    text = (readFileSync(file, 'utf8').split('\n')[line - 1] ?? '').trim().slice(0, longestText);
  } catch {
    // The line number is enough.
  }
  return {file, line, text};
}

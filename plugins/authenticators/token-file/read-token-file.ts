import {readFileSync, statSync} from 'node:fs';
import type {UserInfo} from '../../../sdk/index.js';

export interface TokenLine {
  /** Starts at 1. */
  readonly line: number;
  readonly token: string;
  readonly user: UserInfo;
}

const maximumBytes = 16 * 1024 * 1024;

/**
 * Reads lines of the form `TOKEN,USER,UID[,"GROUP,GROUP"]` (RFC 4180, without line breaks in values). Empty lines are skipped.
 *
 * @throws Error with a one-sentence message that names the line, but never contains a token
 */
export function readTokenFile(file: string): TokenLine[] {
  let text: string;
  try {
    const {size} = statSync(file);
    if (size > maximumBytes) throw new Error(`it has ${size} bytes, more than ${maximumBytes}`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--token-auth-file: ${file} cannot be read: ${(error as Error).message}`, {cause: error});
  }
  return text.split(/\r?\n/).flatMap((content, index) => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const fail = (problem: string) => new Error(`--token-auth-file: ${file}, line ${line}: ${problem}`);
    const columns = columnsOf(content);
    if (columns === undefined) throw fail('a quotation mark is missing or out of place');
    if (columns.length < 3) throw fail('there must be at least a token, a user name and a uid');
    const [token, username, uid, groups = ''] = columns as [string, string, string, string?];
    if (token === '') throw fail('the token is empty');
    if (/\s/.test(token)) throw fail('a token with blanks cannot be sent');
    if (username === '') throw fail('the user name is empty');
    const names = groups
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return [{line, token, user: Object.freeze({username, groups: Object.freeze(names), ...(uid === '' ? {} : {uid})})}];
  });
}

/** The columns of a line; undefined if its quotes are unbalanced. */
function columnsOf(line: string): string[] | undefined {
  const columns: string[] = [];
  // A trailing comma is followed by an empty column, so every column has a comma before it.
  const pattern = /,(?:[ \t]*"((?:[^"]|"")*)"[ \t]*(?=,|$)|([^",]*)(?=,|$))/y;
  const text = `,${line}`;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) return undefined;
    columns.push(match[1] === undefined ? match[2]!.trim() : match[1].replaceAll('""', '"'));
  }
  return columns;
}

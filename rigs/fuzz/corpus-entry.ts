import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {newestRelease, oldestRelease} from '../../core/api/lifetimes/releases.js';

/** A request as a client once sent it. */
export interface Recorded {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** One line of a corpus file. A body that is no text stands in `bytes`, in base64. */
interface Line {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bytes?: string;
}

/** The release that a session of the corpus was recorded with: a later one does not have all of its versions. */
export function releaseOf(session: string): string {
  return session === newestKinds ? newestRelease : oldestRelease;
}

/** All kinds as the newest release has them. No other release gets it. */
export const newestKinds = '6-newest-kinds';

const folder = fileURLToPath(new URL('./corpus', import.meta.url));

export function toLine({method, path, headers, body}: Recorded): string {
  const text = body?.toString('utf8');
  const line: Line = {
    method,
    path,
    ...(Object.keys(headers).length > 0 ? {headers} : {}),
    ...(body === undefined ? {} : Buffer.from(text!).equals(body) ? {body: text!} : {bytes: body.toString('base64')}),
  };
  return JSON.stringify(line);
}

export function fromLine(text: string): Recorded {
  const {method, path, headers = {}, body, bytes} = JSON.parse(text) as Line;
  return {
    method,
    path,
    headers,
    body: body !== undefined ? Buffer.from(body) : bytes !== undefined ? Buffer.from(bytes, 'base64') : undefined,
  };
}

/** All requests that a server of a release gets, file by file, in the order in which they were sent. @param except a session that is left out */
export function readCorpus(release: string, except?: string): Recorded[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl') && name !== `${except}.jsonl`)
    .filter((name) => release === newestRelease || name !== `${newestKinds}.jsonl`)
    .sort()
    .flatMap((name) =>
      readFileSync(`${folder}/${name}`, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(fromLine),
    );
}

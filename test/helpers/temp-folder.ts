import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Whatever can register a function to run at the end: an ava `t`, or a plain collector outside tests. */
export interface Teardown {
  teardown(cleanup: () => void | Promise<void>): void;
}

/** Makes an empty folder that is removed with all it holds at the end of the test. */
export function tempFolder(t: Teardown, prefix = 'orch-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  t.teardown(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));
  return folder;
}

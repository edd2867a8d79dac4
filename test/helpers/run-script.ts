import {execFile} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {projectRoot} from './project-root.js';
import {tempFolder, type Teardown} from './temp-folder.js';

/** A folder with the given files, path → text; removed at the end of the test. */
export function fileTree(t: Teardown, files: Readonly<Record<string, string>>): string {
  const root = tempFolder(t, 'orch-tree-');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Runs one of the project's scripts to its end, from the project's folder. Both outputs come as one text. */
export function runScript(
  name: string,
  argv: readonly string[],
  options: {node?: string; cwd?: string; env?: Readonly<Record<string, string>>; timeout?: number} = {},
): Promise<{code: number | null; output: string}> {
  return new Promise((resolve) => {
    const child = execFile(
      options.node ?? process.execPath,
      [join(projectRoot(), 'scripts', name), ...argv],
      {
        cwd: options.cwd ?? projectRoot(),
        env: {...process.env, ...options.env},
        timeout: options.timeout ?? 240_000,
        killSignal: 'SIGKILL',
        maxBuffer: 1 << 26,
      },
      (_error, stdout, stderr) => resolve({code: child.exitCode, output: stdout + stderr}),
    );
    child.stdin?.end();
  });
}

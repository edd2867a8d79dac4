// docs/tutorial.md as somebody who follows it: each file is written as the page says, each command is run, in the order of the page.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {serve} from './serve.mjs';

/** ```` ```sh ```` is run; ```` ```ts file=plugin.ts ```` is written. Other blocks are for readers. */
const blocks = /^```(\w+)(?: file=(\S+))?\n([^]*?)^```$/gm;

export const documentationTrial = {
  name: 'tutorial',
  // It adds a package with npm, which takes out what it has not installed itself.
  needsPackages: true,
  async run({folder, root, tarball, run, install, env}) {
    const text = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
    let cwd = folder;
    let done = 0;
    for (const [, language, file, content] of text.matchAll(blocks)) {
      if (file) {
        mkdirSync(dirname(join(cwd, file)), {recursive: true});
        writeFileSync(join(cwd, file), content);
        done += 1;
      }
      for (const line of language === 'sh' ? content.trim().split('\n') : []) {
        done += 1;
        const [command, first, ...rest] = line.split(' ');
        if (command === 'cd') cwd = resolve(cwd, first);
        else if (command === 'npm' && first === 'install') installAll(cwd, rest);
        else if (line.startsWith('npx --no orch serve ')) await serve(cwd, env, line.split(' ').slice(3));
        else run('bash', ['-euo', 'pipefail', '-c', line], cwd);
        if (!existsSync(cwd)) throw new Error(`${line}: ${cwd} does not exist`);
      }
    }
    if (done < 20) throw new Error(`only ${done} steps were found in the tutorial`);

    /** The package lies somewhere else than the tutorial says. */
    function installAll(at, words) {
      const packages = words.filter((word) => !word.startsWith('-') && basename(word) !== basename(tarball));
      install(at, packages);
    }
  },
};

// The examples as somebody who has copied them out of the repository has them: compiled and tested in a project that has nothing but the package.
import {copyFileSync, cpSync, globSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {compilerOptions, projectManifest} from './outside-project.mjs';

const main = (tests) => `${tests.map((file) => `await import(${JSON.stringify(`./out/${file.replace(/ts$/, 'js')}`)});`).join('\n')}\n`;

export const examplesTrial = {
  name: 'examples',
  async run({folder, root, run, install}) {
    cpSync(join(root, 'examples'), folder, {recursive: true});
    writeFileSync(join(folder, 'package.json'), projectManifest(root));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions, exclude: ['out', 'node_modules']}));
    install(folder);
    run('npx', ['tsc']);
    for (const file of globSync('*/**/*.{js,json,yaml}', {cwd: folder, exclude: ['out/**', '**/node_modules/**']})) {
      mkdirSync(dirname(join(folder, 'out', file)), {recursive: true});
      copyFileSync(join(folder, file), join(folder, 'out', file));
    }
    const tests = globSync('*/*.test.ts', {cwd: folder, exclude: ['node_modules/**']}).sort();
    const plugins = [...new Set(globSync('*/plugin.{ts,json}', {cwd: folder, exclude: ['node_modules/**']}).map(dirname))];
    const untested = plugins.filter((plugin) => !tests.some((file) => dirname(file) === plugin));
    if (untested.length > 0) throw new Error(`examples without a test: ${untested.join(', ')}`);
    // One process for all: each would load the server anew.
    writeFileSync(join(folder, 'main.mjs'), main(tests));
    run('node', ['main.mjs']);
    run('npx', ['--no', 'orch', 'plugins', 'check', ...plugins.map((plugin) => `out/${plugin}`)]);
    const said = run('node', ['out/selected-plugins/main.js']);
    if (!said.startsWith('made colours')) throw new Error(`examples/selected-plugins says ${said}`);
  },
};

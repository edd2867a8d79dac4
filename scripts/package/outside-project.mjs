// What a project outside of the repository is made with.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

export const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.iterator', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  types: ['node'],
  rootDir: '.',
  outDir: 'out',
};

/** A package.json with the compiler that the repository uses. */
export function projectManifest(root) {
  const {devDependencies} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions = Object.fromEntries(['@types/node', '@types/ws', 'typescript'].map((name) => [name, devDependencies[name]]));
  return JSON.stringify({name: 'outside', private: true, type: 'module', devDependencies: versions});
}

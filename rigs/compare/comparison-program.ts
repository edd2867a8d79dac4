import {parseArgs, type ParseArgsOptionsConfig} from 'node:util';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {withCleanup} from '../with-cleanup.js';

/** Options that every comparison with a real server has. */
const commonOptions = {
  release: {type: 'string', default: '1.36'},
  'kube-apiserver': {type: 'string'},
  etcd: {type: 'string', default: 'etcd'},
  all: {type: 'boolean', default: false},
  help: {type: 'boolean', default: false},
} as const;

export interface ComparisonProgram<Values> {
  /** What the command line says. */
  readonly values: Values;
  /** Prints the help, if that was asked for, or compares; stops what was started, after a signal too. @param compare returns the exit code */
  run(compare: (t: Teardown) => Promise<number>): Promise<void>;
}

/** A comparison as a program. @param own options that only this one has */
export function comparisonProgram<const Own extends ParseArgsOptionsConfig>(
  help: string,
  own: Own,
): ComparisonProgram<ReturnType<typeof parseArgs<{options: typeof commonOptions & Own}>>['values']> {
  const {values} = parseArgs<{options: typeof commonOptions & Own}>({options: {...commonOptions, ...own}});
  const isHelp = (values as {help?: boolean}).help === true;
  return {values, run: (compare) => (isHelp ? Promise.resolve(console.log(help)) : runComparison(compare))};
}

async function runComparison(compare: (t: Teardown) => Promise<number>): Promise<void> {
  process.exitCode = await withCleanup(compare);
}

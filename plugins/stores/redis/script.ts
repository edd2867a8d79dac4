import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';

/** A Lua script, sent by its digest once Redis knows it. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

function load(name: string): Script {
  return script(readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8'));
}

/** The same with other flags in its first line. */
function withFlags({source}: Script, flags: string): Script {
  return script(source.replace(/^#!lua.*$/m, `#!lua flags=${flags}`));
}

function script(source: string): Script {
  return {source, sha1: createHash('sha1').update(source).digest('hex')};
}

const attach = load('attach');
const commit = load('commit');

/** All writes of the store, and the reads that need several commands atomically. Each is described in its file. */
export const scripts = {
  attach,
  /** The same, but fails instead of writing: for a primary that currently refuses writes. */
  attachWithoutWrites: withFlags(attach, 'no-writes,allow-oom'),
  accept: load('accept'),
  advance: load('advance'),
  commit,
  /** The same when memory is full: for deletions, after which compaction frees memory. */
  commitDelete: withFlags(commit, 'allow-oom'),
  read: load('read'),
  values: load('values'),
  settle: load('settle'),
  history: load('history'),
  compact: load('compact'),
  restoreBegin: load('restore-begin'),
  restoreFill: load('restore-fill'),
  restoreEnd: load('restore-end'),
} as const;

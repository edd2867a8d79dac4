import test from 'ava';
import type {FlagDefinition} from '../../../core/options/flags/flag-definition.js';
import {parseFlags} from '../../../core/cli/parse-flags.js';
import {UsageError} from '../../../core/cli/usage-error.js';

const table: readonly FlagDefinition[] = [
  {name: 'name', type: 'string', description: ''},
  {name: 'size', type: 'integer', description: ''},
  {name: 'ratio', type: 'number', description: ''},
  {name: 'verbose', type: 'boolean', description: ''},
  {name: 'list', type: 'list', description: ''},
  {name: 'ports', type: 'list', items: 'integer', description: ''},
  {name: 'print', short: 'p', type: 'string', description: ''},
  {name: 'installed', short: 'i', type: 'boolean', description: ''},
  {name: 'mode', type: 'string', allowed: ['a', 'b'], description: ''},
];

function parse(...args: string[]) {
  const {flags, positionals} = parseFlags(args, table);
  return {flags: Object.fromEntries(flags), positionals};
}

test('values follow the flag or its equals sign', (t) => {
  t.deepEqual(parse('--name', 'x', '--size=3', 'word', '--ratio', '-0.5e1'), {
    flags: {name: 'x', size: 3, ratio: -5},
    positionals: ['word'],
  });
  t.deepEqual(parse('--name=', '--name=a=b'), {flags: {name: 'a=b'}, positionals: []});
  t.deepEqual(parse('--name', '-x'), {flags: {name: '-x'}, positionals: []});
});

test('a letter behind one hyphen stands for a flag that has it, and for no other', (t) => {
  t.deepEqual(parse('-p', 'path', '-i', 'word'), {flags: {print: 'path', installed: true}, positionals: ['word']});
  t.deepEqual(parse('-p=env', '-i=false'), {flags: {print: 'env', installed: false}, positionals: []});
  t.throws(() => parse('-n', 'x'), {instanceOf: UsageError, message: /there is no flag -n/});
  t.throws(() => parse('-print', 'x'), {instanceOf: UsageError, message: /there is no flag -print/});
});

test('booleans are on, off, or say which', (t) => {
  t.deepEqual(parse('--verbose', 'word').flags, {verbose: true});
  t.deepEqual(parse('--no-verbose').flags, {verbose: false});
  t.deepEqual(parse('--verbose=false').flags, {verbose: false});
  t.throws(() => parse('--no-verbose=true'), {instanceOf: UsageError, message: '--no-verbose takes no value'});
  t.throws(() => parse('--verbose=maybe'), {instanceOf: UsageError, message: '--verbose must be true or false, not "maybe"'});
  t.throws(() => parse('--no-name'), {instanceOf: UsageError, message: /^there is no flag --no-name/});
});

test('lists take the flag repeatedly or with commas', (t) => {
  t.deepEqual(parse('--list', 'a,b', '--list=c', '--list', '-d, e,').flags, {list: ['a', 'b', 'c', '-d', 'e']});
  t.deepEqual(parse('--ports', '1,2').flags, {ports: [1, 2]});
  t.throws(() => parse('--ports', '1,x'), {instanceOf: UsageError, message: '--ports must be a whole number, not "x"'});
});

test('after two hyphens nothing is a flag, and one hyphen is a word', (t) => {
  t.deepEqual(parse('-', '--', '--name', 'x'), {flags: {}, positionals: ['-', '--name', 'x']});
});

test('values that do not fit the type are refused', (t) => {
  for (const text of ['', '1.5', '0x10', '1e3', '99999999999999999999', ' 1'])
    t.throws(() => parse(`--size=${text}`), {instanceOf: UsageError}, text);
  for (const text of ['', 'NaN', 'Infinity', '.', '1,5']) t.throws(() => parse(`--ratio=${text}`), {instanceOf: UsageError}, text);
  t.throws(() => parse('--mode', 'c'), {instanceOf: UsageError, message: '--mode must be one of a, b, not "c"'});
});

test('flags called like parts of the prototype are unknown', (t) => {
  for (const name of ['__proto__', 'constructor', 'toString']) t.throws(() => parse(`--${name}=x`), {instanceOf: UsageError});
});

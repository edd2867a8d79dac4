import {family} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {bodyAttack, fill, fillWith, largeBody} from './body-attack.js';

const head = '"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bomb"}';
const inData = (text: string) => `{${head},"data":{${text}}}`;
const inDeployment = (replicas: string) =>
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"bomb"},"spec":{"replicas":${replicas}}}`;

/** Texts that are JSON, or nearly: depth, width, repetition, long parts. */
const texts: Readonly<Record<string, () => string | Buffer>> = {
  'depth-of-arrays': () => inData(`"a":${'['.repeat(largeBody / 2)}${']'.repeat(largeBody / 2)}`),
  'depth-of-arrays-open': () => inData(`"a":${'['.repeat(largeBody)}`),
  'depth-of-objects': () => inData(`"a":${'{"a":'.repeat(largeBody / 6)}1${'}'.repeat(largeBody / 6)}`),
  'depth-in-annotations': () => `{"metadata":{"name":"bomb","annotations":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
  'many-members': () => inData(fillWith((number) => `"k${number}":""`)),
  'unknown-members': () => `{${head},${fillWith((number) => `"k${number}":0`)}}`,
  'duplicate-members': () => inData(fillWith(() => '"a":"b"')),
  'duplicate-members-in-pairs': () => inData(fillWith((number) => `"k${number >> 1}":""`)),
  'duplicate-objects': () => `{${fillWith(() => '"metadata":{"name":"bomb"}')}}`,
  'prototype-members': () => inData(fillWith(() => '"__proto__":""')),
  'members-of-numbers': () => inData(fillWith((number) => `"${number * 7919}":""`)),
  'long-name': () => inData(`"${'k'.repeat(largeBody)}":""`),
  'long-text': () => inData(`"k":"${'v'.repeat(largeBody)}"`),
  'open-text': () => inData(`"k":"${'v'.repeat(largeBody)}`).slice(0, -2),
  escapes: () => inData(`"k":"${fill('\\u0041')}"`),
  'lone-surrogates': () => inData(`"k":"${fill('\\ud800')}"`),
  'control-characters': () => inData(`"k":"${fill('\\u0000')}"`),
  'no-utf-8': () => Buffer.concat([Buffer.from(inData('"k":"').slice(0, -2)), Buffer.alloc(largeBody, 0xc3), Buffer.from('"}}')]),
  blanks: () => `${' '.repeat(largeBody)}{}`,
  'blanks-alone': () => '\n'.repeat(largeBody),
  'many-long-numbers': () => inData(fillWith((number) => `"k${number}":${'9'.repeat(2_000)}`)),
  'empty-arrays': () => inData(`"a":[${fillWith(() => '[]')}]`),
  'empty-objects': () => inData(`"a":[${fillWith(() => '{}')}]`),
  'many-nulls': () => inData(fillWith((number) => `"k${number}":null`)),
  'wrong-types': () => inData(fillWith((number) => `"k${number}":{}`)),
  'list-of-objects': () => `{"apiVersion":"v1","kind":"ConfigMapList","items":[${fillWith(() => `{${head}}`)}]}`,
  'commas-alone': () => `[${','.repeat(largeBody)}]`,
  colons: () => `{${':'.repeat(largeBody)}}`,
  'root-text': () => `"${'x'.repeat(largeBody)}"`,
};

/** Numbers where the schema wants one. */
const numbers: Readonly<Record<string, () => string>> = {
  'long-number': () => inDeployment('9'.repeat(largeBody)),
  'long-fraction': () => inDeployment(`0.${'3'.repeat(largeBody)}`),
  'large-exponent': () => inDeployment('1e999999999'),
  'long-exponent': () => inDeployment(`1e${'9'.repeat(largeBody)}`),
};

const collection =
  (resource: string, groupVersion?: string, query = '') =>
  (attacker: Attacker) =>
    attacker.path(resource, groupVersion) + query;

export const jsonBodies = family(
  'json',
  [
    ...Object.entries(texts).map(([name, body]) =>
      bodyAttack({name, body, path: collection('configmaps', undefined, '?dryRun=All'), outcomes: [201, 400, 413, 422]}),
    ),
    ...Object.entries(numbers).map(([name, body]) =>
      bodyAttack({name, body, path: collection('deployments', 'apps/v1', '?dryRun=All'), outcomes: [400, 413, 422]}),
    ),
    ...(['unknown-members', 'duplicate-members'] as const).flatMap((name) =>
      ['Strict', 'Warn', 'Ignore'].map((validation) =>
        bodyAttack({
          name: `${name}-${validation.toLowerCase()}`,
          body: texts[name]!,
          path: collection('configmaps', undefined, `?dryRun=All&fieldValidation=${validation}`),
          outcomes: [400, 413, 422, 201],
        }),
      ),
    ),
  ],
  {storeless: true},
);

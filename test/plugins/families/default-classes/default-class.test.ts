import test from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {defaultClass} from '../../../../plugins/families/default-classes/default-class.js';

test('of several classes that are marked the newest is the default, and of those that are as old the first by name', (t) => {
  const made = (name: string, second: number, mark?: string): Pick<ApiObject, 'metadata'> => ({
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:00:0${second}Z`,
      annotations: mark === undefined ? {} : {['example.com/default']: mark},
    },
  });
  const nameOf = (...classes: Pick<ApiObject, 'metadata'>[]) => defaultClass(classes, ['example.com/default'])?.metadata.name;
  t.is(nameOf(made('old', 1, 'true'), made('new', 2, 'true'), made('newest', 3), made('said-not', 4, 'false')), 'new');
  t.is(nameOf(made('b', 1, 'true'), made('a', 1, 'true')), 'a');
  t.is(nameOf(made('none', 1)), undefined);
});

import test from 'ava';
import {publishedSchema} from '../../../../core/api/openapi/published-schema.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';

const context = {reference: (text: string) => text, name: (_kind: string, text: string) => text, group: (text: string) => text};

test('what a schema says of no properties is left out, as programs in Go write it', (t) => {
  const empty = {type: 'object', properties: {}} as JsonSchema;
  for (const kubernetesSemantics of [true, false]) {
    const published = publishedSchema({type: 'object', properties: {status: empty}, allOf: [empty], items: empty} as JsonSchema, {
      ...context,
      kubernetesSemantics,
    });
    t.deepEqual(published, {type: 'object', properties: {status: {type: 'object'}}, allOf: [{type: 'object'}], items: {type: 'object'}});
  }
});

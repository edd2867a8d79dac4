import test, {type ExecutionContext} from 'ava';
import {scaleOf, scaleToChange} from '../../../../core/registry/subresources/scale.js';
import type {ApiObject, StatusError} from '../../../../sdk/index.js';
import {startRegistry, widget} from '../registry-fixture.js';

const definition = {labelSelectorPath: '.spec.selector'};

async function selectorOf(t: ExecutionContext): Promise<(selector: unknown) => unknown> {
  const {resource} = await startRegistry(t);
  const {served} = resource();
  return (selector) => {
    const scale = scaleOf(served, widget('a', {spec: {replicas: 1, selector}}), definition);
    return (scale as ApiObject & {status: {selector?: unknown}}).status.selector;
  };
}

test('the selector of a Scale is a label query in the order of its keys', async (t) => {
  const text = await selectorOf(t);
  t.is(text({matchLabels: {b: '2', a: '1'}}), 'a=1,b=2');
  t.is(
    text({
      matchLabels: {b: '2'},
      matchExpressions: [
        {key: 'c', operator: 'DoesNotExist'},
        {key: 'a', operator: 'In', values: ['y', 'x']},
        {key: 'd', operator: 'Exists'},
        {key: 'e', operator: 'NotIn', values: ['z']},
      ],
    }),
    'a in (x,y),b=2,!c,d,e notin (z)',
  );
});

test('the selector of a Scale may be stored as a text or as a map of labels', async (t) => {
  const text = await selectorOf(t);
  t.is(text('app=web'), 'app=web');
  t.is(text({b: '2', a: '1'}), 'a=1,b=2');
  t.is(text({}) ?? '', '');
  t.is(text(undefined) ?? '', '');
});

test('a selector that is none leaves the Scale without one', async (t) => {
  const text = await selectorOf(t);
  for (const selector of [5, null, [], {matchExpressions: 5}, {matchLabels: 'x'}, {matchExpressions: [null]}, {matchLabels: null}])
    t.is(text(selector) ?? '', '', JSON.stringify(selector));
});

test('an object without replicas has no Scale, but a patch can give it some', async (t) => {
  const {resource} = await startRegistry(t);
  const {served} = resource();
  const error = t.throws(() => scaleOf(served, widget('a', {spec: {}}), definition)) as StatusError;
  t.is(error.code, 404);
  t.is(scaleToChange(widget('a', {spec: {}}), definition).kind, 'Scale');
});

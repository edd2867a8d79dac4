import test from 'ava';
import {wordsOfFaults} from '../../../../core/api/schema/words-of-faults.js';
import type {FieldError} from '../../../../sdk/index.js';

const wordsWith = (...on: readonly string[]) => wordsOfFaults({enabled: (name) => on.includes(name)});
const said = (names: readonly string[], field: string, body: string, reason: FieldError['reason'] = 'FieldValueInvalid') =>
  wordsWith(...names)!({field, body, reason}).body;

test('faults are said in the words of the release, and others as they are', (t) => {
  t.is(wordsWith(), undefined);
  const keys = ['LabelKeyWords'];
  t.is(
    said(keys, 'metadata.labels', 'Invalid value: "a/b/c": a qualified name must consist of letters'),
    'Invalid value: "a/b/c": a valid label key must consist of letters',
  );
  t.is(
    said(keys, 'metadata.finalizers', 'Invalid value: "a": name part must be no more than 63 characters'),
    'Invalid value: "a": name part must be no more than 63 bytes',
  );
  t.is(
    said(keys, 'spec.selector.matchLabels', 'Invalid value: "a": must be no more than 63 characters'),
    'Invalid value: "a": must be no more than 63 bytes',
  );
  t.is(
    said(keys, 'metadata.name', 'Invalid value: "a": must be no more than 63 characters'),
    'Invalid value: "a": must be no more than 63 characters',
  );

  const short = ['ShortFieldDetails'];
  t.is(said(short, 'metadata.ownerReferences.uid', 'Invalid value: "": uid must not be empty'), 'Invalid value: "": must not be empty');
  t.is(
    said(short, 'metadata.ownerReferences.apiVersion', 'Invalid value: "": version must not be empty'),
    'Invalid value: "": version must not be empty',
  );
  t.is(said(short, 'status.conditions[0].reason', 'Required value: must be set', 'FieldValueRequired'), 'Required value');
  t.is(said(short, 'spec.expirationSeconds', 'Required value: must be set', 'FieldValueRequired'), 'Required value: must be set');

  t.is(
    said(['LengthsInBytes'], 'fieldManager', 'Too long: must have at most 128 bytes', 'FieldValueTooLong'),
    'Too long: may not be more than 128 bytes',
  );
});

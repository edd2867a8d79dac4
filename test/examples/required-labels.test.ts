import test from 'ava';
import {orch} from '../../core/api/naming/orch.js';
import {RequiredLabels} from '../../examples/admission-required-labels/plugin.js';
import {StatusError, type AdmissionRequest, type ObjectMeta} from '@orch-api/orch/sdk';
import {admissionRequest} from '../helpers/admission-request.js';

const request = (metadata: ObjectMeta, change: Partial<AdmissionRequest> = {}) =>
  admissionRequest({namespace: 'default', object: {metadata}, ...change});

const policy = new RequiredLabels({labels: ['owner', 'team'], exemptNamespaces: ['scratch']}, orch);

test('an object with all labels passes', (t) => {
  t.notThrows(() => policy.validate(request({labels: {owner: 'ada', team: 'engines', more: ''}})));
});

test('an object without them is refused, and every missing label is named', (t) => {
  const error = t.throws(() => policy.validate(request({labels: {owner: ''}})), {
    instanceOf: StatusError,
    message: 'configmaps "settings" is forbidden: labels are required: owner, team',
  });
  t.is(error.code, 403);
  t.deepEqual(
    error.details?.causes?.map(({field}) => field),
    ['metadata.labels[owner]', 'metadata.labels[team]'],
  );
  t.throws(() => policy.validate(request({}, {operation: 'UPDATE'})), {instanceOf: StatusError});
});

test('exempt are the configured namespaces, the system namespace and what has no namespace', (t) => {
  for (const namespace of ['scratch', 'orch-system', '']) t.notThrows(() => policy.validate(request({}, {namespace})));
});

test('exempt are events and leases, subresources and objects that are being deleted', (t) => {
  t.notThrows(() => policy.validate(request({}, {resource: {group: '', version: 'v1', resource: 'events'}})));
  t.notThrows(() => policy.validate(request({}, {resource: {group: 'coordination.orch', version: 'v1', resource: 'leases'}})));
  t.notThrows(() => policy.validate(request({}, {subresource: 'status'})));
  t.notThrows(() => policy.validate(request({deletionTimestamp: '2030-01-01T00:00:00Z'})));
});

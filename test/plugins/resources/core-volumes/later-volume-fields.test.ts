import test from 'ava';
import type {TestResponse} from '@orch-api/orch/testing';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import {causesOf, servedGroup} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', platform: 'kubernetes', disableAdmissionPlugins: ['PersistentVolumeClaimResize']});
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';
const faultsOf = (response: TestResponse) => (response.status < 300 ? [] : causesOf(response));
let count = 0;
const named = () => ({name: `volume-${(count += 1)}`});
const claimOf = (spec: object = {}) => ({
  metadata: named(),
  spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '10Gi'}}, ...spec},
});
const volumeOf = (spec: object) => ({metadata: named(), spec: {accessModes: ['ReadWriteOnce'], capacity: {storage: '1Gi'}, ...spec}});
const csi = {driver: 'disk.example', volumeHandle: 'h'};

async function boundClaim(spec: object, status: object = {}) {
  const made = (await client().post(claims, claimOf(spec))).json<PersistentVolumeClaim>();
  const path = `${claims}/${made.metadata.name}`;
  const metadata = {name: made.metadata.name};
  await client().put(`${path}/status`, {...made, metadata, status: {phase: 'Bound', capacity: {storage: '5Gi'}, ...status}});
  const put = async (changes: object) => faultsOf(await client().put(path, {...made, metadata, spec: {...made.spec, ...changes}}));
  const putStatus = async (changes: object) =>
    faultsOf(await client().put(`${path}/status`, {...made, metadata, status: {phase: 'Bound', ...changes}}));
  return {put, putStatus};
}

test('classes of volume attributes have names', async (t) => {
  t.regex(
    faultsOf(await client().post(claims, claimOf({volumeAttributesClassName: 'A'})))[0]!,
    /^spec\.volumeAttributesClassName: Invalid value: "A"/,
  );
  t.deepEqual(faultsOf(await client().post(volumes, volumeOf({volumeAttributesClassName: '', nfs: {server: 's', path: '/'}}))), [
    'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
    'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
  ]);
});

test('a bound claim changes its class, but does not lose one that has been applied', async (t) => {
  const {put} = await boundClaim({volumeAttributesClassName: 'fast'}, {currentVolumeAttributesClassName: 'fast'});
  const path = 'spec.volumeAttributesClassName: Forbidden';
  const why = 'is forbidden when status.currentVolumeAttributesClassName is not nil';
  t.deepEqual(await put({volumeAttributesClassName: null}), [`${path}: update to nil ${why}`]);
  t.deepEqual(await put({volumeAttributesClassName: ''}), [`${path}: update to empty string ${why}`]);
  t.deepEqual(await put({volumeAttributesClassName: 'slow'}), []);
  t.deepEqual(await put({accessModes: ['ReadWriteMany'], volumeAttributesClassName: 'slow'}), [
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
  ]);
});

test('a claim that cannot grow asks for less, down to what it has', async (t) => {
  const {put, putStatus} = await boundClaim({});
  t.deepEqual(await put({resources: {requests: {storage: '5Gi'}}}), [
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ]);
  t.deepEqual(await put({resources: {requests: {storage: '6Gi'}}}), []);
  t.deepEqual(await putStatus({allocatedResourceStatuses: {cpu: 'NodeResizePending', storage: 'x'}}), [
    'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
    'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
  ]);
});

test('a volume says when its phase changed, and keeps its class', async (t) => {
  const made = (await client().post(volumes, volumeOf({csi, volumeAttributesClassName: 'fast'}))).json<PersistentVolume>();
  const path = `${volumes}/${made.metadata.name}`;
  t.regex(made.status!.lastPhaseTransitionTime!, /^\d{4}-/);
  const metadata = {name: made.metadata.name};
  const status = async (value: object) =>
    (await client().put(`${path}/status`, {...made, metadata, status: value})).json<PersistentVolume>().status?.lastPhaseTransitionTime;
  t.is(await status({phase: 'Pending'}), made.status?.lastPhaseTransitionTime);
  t.is(await status({phase: 'Bound', lastPhaseTransitionTime: '2020-01-01T00:00:00Z'}), '2020-01-01T00:00:00Z');
  t.not(await status({phase: 'Released', lastPhaseTransitionTime: '2020-01-01T00:00:00Z'}), '2020-01-01T00:00:00Z');
  const {volumeAttributesClassName: _class, ...rest} = made.spec!;
  t.deepEqual(faultsOf(await client().put(path, {...made, metadata, spec: rest})), [
    'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
  ]);
});

import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';

/** Versions behind a feature gate: the path of a list, and a release in which the gate is off by default. */
const gated = [
  {gate: 'ClusterTrustBundle', release: '1.30', group: 'certificates.k8s.io', version: 'v1alpha1', resource: 'clustertrustbundles'},
  {gate: 'ClusterTrustBundle', release: '1.36', group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles'},
  {gate: 'PodCertificateRequest', release: '1.36', group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests'},
  {gate: 'GenericWorkload', release: '1.36', group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'podgroups'},
  {gate: 'GenericWorkload', release: '1.35', group: 'scheduling.k8s.io', version: 'v1alpha1', resource: 'workloads'},
  {
    gate: 'StorageVersionMigrator',
    release: '1.36',
    group: 'storagemigration.k8s.io',
    version: 'v1beta1',
    resource: 'storageversionmigrations',
  },
];

for (const {gate, release, group, version, resource} of gated) {
  test.serial(`${resource} of ${version} are served by ${release} where both the gate ${gate} and the version are on`, async (t) => {
    const groupVersion = `${group}/${version}`;
    for (const isGateOn of [false, true]) {
      for (const isVersionOn of [false, true]) {
        await using server = await startTestServer({
          platform: 'kubernetes',
          release,
          runtimeConfig: {[groupVersion]: isVersionOn},
          featureGates: {[gate]: isGateOn},
        });
        const isServed = isGateOn && isVersionOn;
        const about = `gate: ${isGateOn}, version: ${isVersionOn}`;
        t.is((await server.client.get(`/apis/${groupVersion}/${resource}`)).status, isServed ? 200 : 404, about);
        const listed = await server.client.get(`/apis/${groupVersion}`);
        const names = listed.status === 200 ? listed.json<{resources: {name: string}[]}>().resources.map(({name}) => name) : [];
        t.is(names.includes(resource), isServed, about);
      }
    }
  });
}

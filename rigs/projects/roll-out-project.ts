import type {Kubectl} from '../../test/helpers/kubectl.js';

/** How often manifests are applied: some are of types that the same files define. */
const attempts = 3;

interface Listed {
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string};
  readonly spec?: {readonly replicas?: number};
}

/**
 * Applies the manifests of a project and waits until all that is rolled out is available, Jobs are complete and definitions established.
 *
 * @param seconds how long each wait takes at most
 * @returns how many of each kind there are
 * @throws Error with what kubectl said
 */
export async function rollOutProject(kubectl: Kubectl, folder: string, seconds: number): Promise<string[]> {
  const timeoutMillis = (seconds + 10) * 1000;
  const timeout = `--timeout=${seconds}s`;
  const namespaces = new Set(await namespacesOf(kubectl, folder));
  // Some are there, and some are in the manifests, too.
  for (const namespace of namespaces) await kubectl.run(['create', 'namespace', namespace]);
  for (let attempt = 1; ; attempt += 1) {
    const {code, stderr} = await kubectl.run(['apply', '--server-side', '--filename', folder], {timeoutMillis});
    if (code === 0) break;
    if (attempt === attempts) throw new Error(stderr.trim());
    await kubectl.run(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', timeout], {timeoutMillis});
  }
  const list = async (kinds: string): Promise<Listed[]> =>
    (JSON.parse(await kubectl.ok(['get', kinds, '--all-namespaces', '--output=json'])) as {items: Listed[]}).items;
  const rolledOut = await list('deployments,statefulsets,daemonsets');
  for (const {kind, metadata} of rolledOut) {
    const status = ['rollout', 'status', `${kind.toLowerCase()}/${metadata.name}`, '--namespace', metadata.namespace!, timeout];
    const {code, stdout, stderr} = await kubectl.run(status, {timeoutMillis});
    if (code !== 0) throw new Error(`${kind} ${metadata.name}: ${(stdout + stderr).trim()}`);
  }
  const jobs = await list('jobs');
  const definitions = await list('customresourcedefinitions');
  const wait = async (kinds: string, condition: string) =>
    kubectl.ok(['wait', `--for=condition=${condition}`, kinds, '--all', '--all-namespaces', timeout], {timeoutMillis});
  if (jobs.length > 0) await wait('jobs', 'Complete');
  if (rolledOut.some(({kind}) => kind === 'Deployment')) await wait('deployments', 'Available');
  if (definitions.length > 0) await kubectl.ok(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', timeout]);
  const counts = Map.groupBy([...rolledOut, ...jobs, ...definitions], ({kind}) => kind);
  return [...counts].map(([kind, {length}]) => `${length} ${kind}${length === 1 ? '' : 's'}`);
}

/** The namespaces that manifests name. */
async function namespacesOf(kubectl: Kubectl, folder: string): Promise<string[]> {
  const printed = await kubectl.run(['create', '--dry-run=client', '--validate=false', '--filename', folder, '--output=json']);
  return [...printed.stdout.matchAll(/"namespace": "([^"]+)"/g)].map(([, namespace]) => namespace!);
}

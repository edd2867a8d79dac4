import type {Teardown} from '../../test/helpers/temp-folder.js';
import {startKubernetesServer, type ServerPrograms} from '../kubernetes/kubernetes-server.js';
import {onlyUser} from './bench-users.js';
import {cpuSeconds, residentMegabytes} from './process-usage.js';
import type {Subject} from './subject.js';

/** kube-apiserver with its etcd, which has on disk what is answered, as the other subjects have. @param flags further ones of kube-apiserver. Memory and CPU are those of both. */
export async function startPeer(programs: ServerPrograms, flags: readonly string[] = []): Promise<Subject> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const t: Teardown = {teardown: (cleanup) => void cleanups.push(cleanup)};
  const close = async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  };
  try {
    const {url, ca, admin, pids, readyMillis} = await startKubernetesServer(t, programs, {durable: true, flags});
    const target = {url, ca: ca.certificate, cert: admin.certificate, key: admin.key};
    const seconds = readyMillis / 1000;
    return {
      name: 'kube-apiserver',
      targets: [target],
      domain: 'k8s.io',
      limitedUser: () => onlyUser(target, ca.key, 'k8s.io'),
      servers: [],
      starts: {first: seconds, again: seconds},
      cpu: () => cpuSeconds(pids),
      memory: () => {
        const all = pids.map(residentMegabytes);
        const sum = (member: 'now' | 'peak') => all.reduce((total, memory) => total + memory[member], 0);
        return {servers: {now: sum('now'), peak: sum('peak')}, redis: undefined};
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

import type {PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {BindingKeys} from '../../../families/volume-binding/binding-keys.js';
import {className} from '../../../families/volume-binding/binding-state.js';
import type {ReadyNode} from '../model/node-state.js';
import type {PodShape} from '../model/pod-shape.js';
import type {StorageView} from '../model/storage-view.js';
import {refusal, type Filter, type Refusal} from './filter.js';
import {concernsStorage} from './volume-rules.js';

const tooMany = refusal(false, 'node(s) exceed max volume count');

/** Names of drivers by the volumes that they attach, each once however many pods use it. */
type DriversByVolume = Map<string, string>;

/**
 * Nodes attach no more volumes of a driver than it says (`spec.drivers[].allocatable.count` of CSINodes). What counts is what pods use there, and what is attached besides.
 *
 * @param needsDriver whether a driver may keep pods away from nodes that do not have it (`spec.preventPodSchedulingIfMissing`)
 */
export function nodeVolumeLimits(storage: StorageView, keys: BindingKeys, needsDriver: boolean): Filter {
  const missing = (drivers: Iterable<string>, {name}: ReadyNode): Refusal | undefined => {
    for (const driver of drivers) {
      if (!storage.driver(driver)?.spec?.preventPodSchedulingIfMissing) continue;
      const isThere = storage.csiNode(name)?.spec?.drivers?.some((each) => each.name === driver);
      if (!isThere) return refusal(false, `${driver} CSI driver is not installed on the node`);
    }
    return undefined;
  };
  return {
    name: 'NodeVolumeLimits',
    prepare: ({shape}) => {
      const wanted = driversOf(shape, storage, keys);
      if (wanted.size === 0) return undefined;
      return {
        check: (node) => {
          const refused = needsDriver ? missing(new Set(wanted.values()), node) : undefined;
          return refused ?? (exceeds(wanted, node, storage, keys) ? tooMany : undefined);
        },
      };
    },
    mayHelp: (pod, event) => (event.type === 'removed' ? event.pod.shape.volumes.claims.length > 0 : concernsStorage(pod, event)),
  };
}

function exceeds(wanted: DriversByVolume, node: ReadyNode, storage: StorageView, keys: BindingKeys): boolean {
  const limits = (storage.csiNode(node.name)?.spec?.drivers ?? []).flatMap(({name, allocatable}) =>
    allocatable?.count === undefined || allocatable.count === null ? [] : [{driver: name ?? '', most: allocatable.count}],
  );
  if (limits.length === 0) return false;
  const all: DriversByVolume = new Map();
  for (const {shape} of node.pods.values()) for (const [volume, driver] of driversOf(shape, storage, keys)) all.set(volume, driver);
  for (const {spec} of storage.attachments(node.name)) {
    const handle = storage.volume(spec?.source?.persistentVolumeName ?? '')?.spec?.csi?.volumeHandle;
    if (spec?.attacher && handle !== undefined) all.set(`${spec.attacher}/${handle}`, spec.attacher);
  }
  const isNew = [...wanted].filter(([volume]) => !all.has(volume));
  return limits.some(({driver, most}) => {
    const added = isNew.filter(([, each]) => each === driver).length;
    return added > 0 && [...all.values()].filter((each) => each === driver).length + added > most;
  });
}

function driversOf(
  {namespace, volumes}: Pick<PodShape, 'namespace' | 'volumes'>,
  storage: StorageView,
  keys: BindingKeys,
): DriversByVolume {
  const found: DriversByVolume = new Map();
  for (const {name} of volumes.claims) {
    const claim = storage.claim(namespace, name);
    const volume = claim && volumeOf(claim, storage, keys);
    if (volume) found.set(volume.id, volume.driver);
  }
  return found;
}

/** The volume of a claim; one that has none yet gets it from the provisioner of its class. */
function volumeOf(claim: PersistentVolumeClaim, storage: StorageView, keys: BindingKeys): {id: string; driver: string} | undefined {
  const volume = storage.volume(claim.spec?.volumeName ?? '');
  if (volume) {
    const {driver, volumeHandle} = volume.spec?.csi ?? {};
    return driver && volumeHandle ? {id: `${driver}/${volumeHandle}`, driver} : undefined;
  }
  const driver = storage.storageClass(className(claim, keys))?.provisioner;
  return driver ? {id: `${driver} for ${claim.metadata.namespace}/${claim.metadata.name}`, driver} : undefined;
}

import {unlessExists, ifFound, type ApiObject, type NamingProfile, type ResourceClient} from '../../../sdk/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {StorageClass} from '../../../sdk/types/unchecked/storage/v1.js';
import {simulatedPrefix} from '../../families/volume-binding/binding-keys.js';
import {className} from '../../families/volume-binding/binding-state.js';
import {simulatedVolume, volumeNameFor} from './simulated-volume.js';
import {volumeType, type StorageCache} from './storage-cache.js';
import type {StorageWriter} from './storage-writer.js';

/** Makes volumes for claims, or says who is to. */
export class Provisioning {
  readonly #resources: ResourceClient;
  readonly #storage: StorageCache;
  readonly #writer: StorageWriter;
  readonly #naming: NamingProfile;

  constructor(resources: ResourceClient, naming: NamingProfile, storage: StorageCache, writer: StorageWriter) {
    this.#naming = naming;
    this.#resources = resources;
    this.#storage = storage;
    this.#writer = writer;
  }

  /** A claim waits for a volume of its class. */
  async provision(claim: PersistentVolumeClaim): Promise<void> {
    const name = className(claim, this.#writer.keys);
    const fail = (note: string) => this.#writer.say(claim, {type: 'Warning', reason: 'ProvisioningFailed', note});
    const found = await this.#storage.storageClass(name);
    if (!found) return fail(`storageclass.${this.#naming.group('storage.orch')} ${JSON.stringify(name)} not found`);
    const {provisioner = ''} = found;
    if (provisioner.startsWith(simulatedPrefix)) return this.#simulate(claim, found);
    if (provisioner.startsWith(`${this.#naming.keyPrefix}/`)) return fail(`no volume plugin matched name: ${provisioner}`);
    await this.#nameProvisioner(claim, provisioner);
    const note = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    this.#writer.say(claim, {type: 'Normal', reason: 'ExternalProvisioning', note});
  }

  async #simulate(unnamed: PersistentVolumeClaim, storageClass: StorageClass): Promise<void> {
    const claim = await this.#nameProvisioner(unnamed, storageClass.provisioner ?? '');
    const {keys} = this.#writer;
    const name = volumeNameFor(claim);
    if (await ifFound(this.#resources.get(volumeType, '', name))) return;
    const fail = (note: string) => this.#writer.say(claim, {type: 'Warning', reason: 'ProvisioningFailed', note});
    const nodeName = claim.metadata.annotations?.[keys.selectedNode];
    const node = nodeName === undefined ? undefined : await this.#storage.node(nodeName);
    if (nodeName !== undefined && !node) return fail(`Failed to get target node: node ${JSON.stringify(nodeName)} not found`);
    let volume: PersistentVolume;
    try {
      volume = simulatedVolume(claim, storageClass, {keys, node});
    } catch (error) {
      await this.#reschedule(claim);
      const {name: of = ''} = storageClass.metadata;
      return fail(`Failed to provision volume with StorageClass ${JSON.stringify(of)}: ${(error as Error).message}`);
    }
    await unlessExists(this.#resources.create(volumeType, '', volume as ApiObject));
    const note = `Successfully provisioned volume ${name} using ${storageClass.provisioner}`;
    this.#writer.say(claim, {type: 'Normal', reason: 'ProvisioningSucceeded', note});
  }

  /** Says on a claim who makes its volume. */
  async #nameProvisioner(claim: PersistentVolumeClaim, provisioner: string): Promise<PersistentVolumeClaim> {
    const {keys} = this.#writer;
    const annotations = claim.metadata.annotations ?? {};
    if (annotations[keys.provisioner] === provisioner) return claim;
    const named = {...annotations, [keys.betaProvisioner]: provisioner, [keys.provisioner]: provisioner};
    return this.#writer.updateClaim({...claim, metadata: {...claim.metadata, annotations: named}});
  }

  /** Another node is to be chosen. */
  async #reschedule(claim: PersistentVolumeClaim): Promise<void> {
    const {[this.#writer.keys.selectedNode]: node, ...annotations} = claim.metadata.annotations ?? {};
    if (node !== undefined)
      await this.#writer.updateClaim({...claim, metadata: {...claim.metadata, annotations: annotations as Record<string, string>}});
  }
}

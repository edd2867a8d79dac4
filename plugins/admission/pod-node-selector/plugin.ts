import {
  admission,
  admissionForbidden,
  inject,
  readCachedFirst,
  Tokens,
  labelValueFaults,
  qualifiedNameFaults,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionRequest,
  type JsonObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/core/v1.js';

type Labels = Readonly<Record<string, string>>;

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};
const configurationMember = 'podNodeSelectorPluginConfig';
const defaultMember = 'clusterDefaultNodeSelector';

/**
 * Pods run on nodes that the annotation of their namespace selects, or without one, the configuration's default. The configuration may also
 * restrict the labels that pods of a namespace may select.
 */
@admission({operations: ['CREATE'], resources: ['pods'], order: 200, sideEffects: 'none'})
export class PodNodeSelector implements AdmissionController {
  readonly #annotation: string;
  readonly #configured: ReadonlyMap<string, Labels>;

  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
  ) {
    this.#resources = resources;

    this.#annotation = naming.key('scheduler.alpha.orch/node-selector');
    this.#configured = readConfiguration(configurations.get('PodNodeSelector'));
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const pod = request.object as unknown as Pod;
    const wanted = await this.#wanted(request, pod);
    if (!pod.spec || Object.keys(wanted).length === 0) return;
    pod.spec.nodeSelector = {...wanted, ...pod.spec.nodeSelector};
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const pod = request.object as unknown as Pod;
    await this.#wanted(request, pod);
    const allowed = this.#configured.get(request.namespace) ?? {};
    if (Object.keys(allowed).length === 0) return;
    const isAllowed = Object.entries(pod.spec?.nodeSelector ?? {}).every(
      ([key, value]) => Object.hasOwn(allowed, key) && allowed[key] === value,
    );
    if (!isAllowed) throw admissionForbidden(request, 'pod node label selector labels conflict with its namespace whitelist');
  }

  /** The node selector of the namespace. @throws 403 if the pod's conflicts with it */
  async #wanted(request: AdmissionRequest, {spec}: Pod): Promise<Labels> {
    const {metadata} = await readCachedFirst(this.#resources, namespaces, '', request.namespace);
    const text = metadata.annotations?.[this.#annotation];
    const wanted = text === undefined ? (this.#configured.get(defaultMember) ?? {}) : this.#parse(request, text);
    const own = spec?.nodeSelector ?? {};
    if (Object.entries(wanted).some(([key, value]) => Object.hasOwn(own, key) && own[key] !== value))
      throw admissionForbidden(request, 'pod node label selector conflicts with its namespace node label selector');
    return wanted;
  }

  #parse(request: AdmissionRequest, text: string): Labels {
    try {
      return parseNodeSelector(text);
    } catch (error) {
      throw admissionForbidden(request, `the annotation ${this.#annotation} of the namespace has an ${(error as Error).message}`);
    }
  }
}

/** @throws Error that names the place */
function readConfiguration(configuration: JsonObject | undefined): ReadonlyMap<string, Labels> {
  const given = configuration?.[configurationMember];
  const unknown = Object.keys(configuration ?? {}).find((key) => key !== configurationMember);
  if (unknown !== undefined) throw new Error(`${unknown} is not known: the configuration has one member, ${configurationMember}`);
  if (given === undefined || given === null) return new Map();
  if (typeof given !== 'object' || Array.isArray(given))
    throw new Error(`${configurationMember} must have selectors by namespace and ${defaultMember}`);
  return new Map(
    Object.entries(given).map(([name, text]) => {
      if (typeof text !== 'string') throw new Error(`${configurationMember}.${name} must be a selector (a=b,c=d)`);
      try {
        return [name, parseNodeSelector(text)];
      } catch (error) {
        throw new Error(`${configurationMember}.${name}: ${(error as Error).message}`, {cause: error});
      }
    }),
  );
}

/**
 * Reads `a=b,c=d`; empty text has no labels.
 *
 * @throws Error that says what is wrong
 */
function parseNodeSelector(text: string): Labels {
  const labels = new Map<string, string>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map((word) => word.trim());
    if (value === undefined || rest.length > 0) throw new Error(`invalid selector: ${JSON.stringify(part)} is not KEY=VALUE`);
    const [fault] = [...qualifiedNameFaults(key), ...labelValueFaults(value)];
    if (fault !== undefined) throw new Error(`invalid selector: ${JSON.stringify(part)}: ${fault}`);
    labels.set(key, value);
  }
  return Object.fromEntries(labels);
}

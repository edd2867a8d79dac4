import {
  admission,
  admissionForbidden,
  FieldPath,
  inject,
  readCachedFirst,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionRequest,
  type JsonObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {PodSpec, Toleration} from '../../../sdk/types/unchecked/core/v1.js';
import {areAllowed, mergeTolerations} from '../../families/pods/merge-tolerations.js';
import {qosClass} from '../../families/pods/pod-qos.js';
import {validateTolerations} from '../../families/pods/tolerations.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};
const lists = ['default', 'whitelist'] as const;

/**
 * A pod gets the default tolerations of its namespace, or else those of the configuration. The whitelist of its namespace, or else that of
 * the configuration, must allow all of its tolerations. Pods that request resources also tolerate nodes under memory pressure.
 */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods'], order: 230, sideEffects: 'none'})
export class PodTolerationRestriction implements AdmissionController {
  readonly #annotations: Readonly<Record<(typeof lists)[number], string>>;
  readonly #configured: Readonly<Partial<Record<(typeof lists)[number], readonly Toleration[]>>>;
  readonly #memoryPressure: string;

  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
  ) {
    this.#resources = resources;

    this.#annotations = {
      default: naming.key('scheduler.alpha.orch/defaultTolerations'),
      whitelist: naming.key('scheduler.alpha.orch/tolerationsWhitelist'),
    };
    this.#memoryPressure = naming.key('node.orch/memory-pressure');
    this.#configured = readConfiguration(configurations.get('PodTolerationRestriction'), naming);
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const spec = request.object!['spec'] as PodSpec | undefined;
    if (!spec) return;
    const added = request.operation === 'CREATE' ? [...(await this.#tolerations(request, 'default'))] : [];
    if (qosClass(spec) !== 'BestEffort') added.push({key: this.#memoryPressure, operator: 'Exists', effect: 'NoSchedule'});
    if (added.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], structuredClone(added));
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {tolerations} = request.object!['spec'] as PodSpec;
    if (!tolerations || tolerations.length === 0) return;
    if (areAllowed(tolerations, await this.#tolerations(request, 'whitelist'))) return;
    throw admissionForbidden(
      request,
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    );
  }

  /** Those of the namespace (possibly none), or else those of the configuration. */
  async #tolerations(request: AdmissionRequest, list: (typeof lists)[number]): Promise<readonly Toleration[]> {
    const {metadata} = await readCachedFirst(this.#resources, namespaces, '', request.namespace);
    const text = metadata.annotations?.[this.#annotations[list]];
    if (text === undefined) return this.#configured[list] ?? [];
    const parsed = text === '' ? [] : parse(text);
    if (parsed) return parsed;
    throw admissionForbidden(request, `the annotation ${this.#annotations[list]} of the namespace is not a list of tolerations`);
  }
}

/** Undefined if the text is not a list of tolerations. */
function parse(text: string): Toleration[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? [] : isTolerations(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTolerations(value: unknown): value is Toleration[] {
  const isText = (text: unknown) => text === undefined || typeof text === 'string';
  return (
    Array.isArray(value) &&
    value.every((item: Record<string, unknown> | null) => {
      if (typeof item !== 'object' || item === null) return false;
      const {key, operator, value: text, effect, tolerationSeconds} = item;
      const areTexts = [key, operator, text, effect].every(isText);
      return areTexts && (tolerationSeconds === undefined || Number.isSafeInteger(tolerationSeconds));
    })
  );
}

/** @throws Error with everything that is wrong */
function readConfiguration(given: JsonObject | undefined, naming: NamingProfile) {
  if (!given) return {};
  const {apiVersion, kind, ...rest} = given;
  const expected = `${naming.group('podtolerationrestriction.admission.orch')}/v1alpha1`;
  const faults = apiVersion === expected && kind === 'Configuration' ? [] : [`apiVersion and kind must be ${expected} Configuration`];
  const configured: Partial<Record<(typeof lists)[number], readonly Toleration[]>> = {};
  for (const [name, value] of Object.entries(rest)) {
    const list = lists.find((one) => one === name);
    if (!list) faults.push(`${name}: is not known, there are ${lists.join(' and ')}`);
    else if (!isTolerations(value)) faults.push(`${name}: must be a list of tolerations`);
    else {
      faults.push(...validateTolerations(value, FieldPath.of(name)).map(({field, body}) => `${field}: ${body}`));
      configured[list] = value;
    }
  }
  if (faults.length > 0) throw new Error(faults.join('; '));
  return configured;
}

import {
  admission,
  forbidden,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
} from '@orch-api/orch/sdk';

interface Settings {
  readonly labels: readonly string[];
  readonly exemptNamespaces: readonly string[];
}

/** Machines write these, and people do not look after them. */
const exemptTypes = new Set(['events', 'leases']);

/**
 * Refuses objects in namespaces that lack one of the configured labels, or have it with an empty value. Objects that are
 * being deleted pass, so that their finalizers can be removed; subresources are not checked.
 */
@admission({operations: ['CREATE', 'UPDATE'], sideEffects: 'none'})
export class RequiredLabels implements AdmissionController {
  readonly #labels: readonly string[];
  readonly #exempt: ReadonlySet<string>;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>, @inject(Tokens.Naming) naming: NamingProfile) {
    // The kernel has checked the settings against the schema in the manifest and filled in its defaults.
    const settings = config as unknown as Settings;
    this.#labels = settings.labels;
    this.#exempt = new Set([...settings.exemptNamespaces, naming.systemNamespace, naming.publicNamespace]);
  }

  validate(request: AdmissionRequest): void {
    const {namespace, object, resource, subresource} = request;
    if (object === undefined || namespace === '' || subresource !== '') return;
    if (this.#exempt.has(namespace) || exemptTypes.has(resource.resource) || object.metadata.deletionTimestamp) return;
    const missing = this.#labels.filter((key) => !object.metadata.labels?.[key]);
    if (missing.length === 0) return;
    throw forbidden(
      {...resource, name: request.name},
      `labels are required: ${missing.join(', ')}`,
      missing.map((key) => ({reason: 'FieldValueRequired', message: 'Required value', field: `metadata.labels[${key}]`})),
    );
  }
}

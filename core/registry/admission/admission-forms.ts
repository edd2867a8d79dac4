import type {AdmissionForm, GroupVersionKind} from '../../../sdk/index.js';
import type {ObjectSchema} from '../../api/object-schema/object-schema.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';

/** One of the forms in which an endpoint's objects can be written, with what is needed to convert them to it. */
export interface ServedForm extends AdmissionForm {
  readonly version: ResourceTypeVersion;
  /** Whether bodies have the subresource's own kind, and so look the same in all versions of the type. */
  readonly hasOwnKind: boolean;
  /** Reading this may load it. */
  readonly schema: ObjectSchema;
}

export type ServedForms = readonly [ServedForm, ...ServedForm[]];

/** The forms of the endpoints of one version of a type. An endpoint's list stays identical as long as the type does. */
export class AdmissionForms {
  readonly #bySubresource = new Map<string, ServedForms>();
  readonly #version: ResourceTypeVersion;
  readonly #others: () => Iterable<ResourceTypeVersion>;

  /** @param others served versions with the same objects, besides the version itself */
  constructor(version: ResourceTypeVersion, others: () => Iterable<ResourceTypeVersion>) {
    this.#version = version;
    this.#others = others;
  }

  of(subresource: string): ServedForms {
    let forms = this.#bySubresource.get(subresource);
    if (!forms) this.#bySubresource.set(subresource, (forms = this.#make(subresource)));
    return forms;
  }

  #make(subresource: string): ServedForms {
    const others = [...this.#others()].filter((version) => version !== this.#version);
    const serving = subresource === '' ? others : others.filter((version) => version.hasSubresource(subresource));
    return [formOf(this.#version, subresource), ...serving.map((version) => formOf(version, subresource))];
  }
}

function formOf(version: ResourceTypeVersion, name: string): ServedForm {
  const subresource = name === '' ? undefined : version.subresource(name);
  const kind: GroupVersionKind = subresource?.kind ?? version.kind;
  return {
    kind,
    resource: version.resource,
    version,
    hasOwnKind: subresource?.hasOwnKind ?? false,
    get schema() {
      return subresource?.schema ?? version.schema;
    },
  };
}

import {
  admission,
  admissionForbidden,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Ingress} from '../../../sdk/types/networking/v1.js';

const ingressClasses: ResourceRef = {group: 'networking.orch', version: 'v1', resource: 'ingressclasses'};

/** Fills in `spec.ingressClassName` if neither it nor the older annotation is set and one class is marked as the default. */
@admission({operations: ['CREATE'], resources: ['ingresses.networking.orch'], order: 340, sideEffects: 'none'})
export class DefaultIngressClass implements AdmissionController {
  readonly #isDefault: string;
  readonly #olderClass: string;
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#isDefault = naming.key('ingressclass.orch/is-default-class');
    this.#olderClass = naming.key('orch/ingress.class');
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const ingress = request.object as unknown as Ingress;
    if (ingress.spec?.ingressClassName !== undefined || ingress.metadata.annotations?.[this.#olderClass] !== undefined) return;
    const {items} = await this.#resources.list(ingressClasses, '', {resourceVersion: '0'});
    const defaults = items.filter(({metadata}) => metadata.annotations?.[this.#isDefault] === 'true');
    if (defaults.length > 1) throw admissionForbidden(request, `${defaults.length} default IngressClasses were found, only 1 allowed`);
    if (defaults[0]) ingress.spec = {...ingress.spec, ingressClassName: defaults[0].metadata.name!};
  }
}

import {
  admission,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {defaultClass} from '../../families/default-classes/default-class.js';
import type {Ingress} from '../../../sdk/types/networking/v1.js';

const ingressClasses: ResourceRef = {group: 'networking.orch', version: 'v1', resource: 'ingressclasses'};

/** Fills in `spec.ingressClassName` if neither it nor the older annotation is set and a class is marked as the default. If there are several, the newest wins. */
@admission({operations: ['CREATE'], resources: ['ingresses.networking.orch'], order: 340, sideEffects: 'none'})
export class DefaultIngressClass implements AdmissionController {
  readonly #isDefault: readonly string[];
  readonly #olderClass: string;
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#isDefault = [naming.key('ingressclass.orch/is-default-class')];
    this.#olderClass = naming.key('orch/ingress.class');
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const ingress = request.object as unknown as Ingress;
    if (ingress.spec?.ingressClassName !== undefined || ingress.metadata.annotations?.[this.#olderClass] !== undefined) return;
    const {items} = await this.#resources.list(ingressClasses, '', {resourceVersion: '0'});
    const marked = defaultClass(items, this.#isDefault);
    if (marked) ingress.spec = {...ingress.spec, ingressClassName: marked.metadata.name!};
  }
}

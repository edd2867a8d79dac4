import {
  readCachedFirst,
  type AccessReviewer,
  type AdmissionForm,
  type AdmissionRequest,
  type ApiObject,
  type ExpressionValues,
  type JsonObject,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {AdmissionPolicy} from './admission-policy.js';
import {namespaceValue} from './namespace-variable.js';
import type {PolicyScopes} from './policy-scopes.js';
import {requestAuthorizer} from './request-authorizer.js';
import {requestValue} from './request-variable.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/** Where the values of expressions come from. */
export interface ValueSources {
  readonly scopes: PolicyScopes;
  readonly access: AccessReviewer;
  readonly resources: ResourceClient;
  /** Whether the checks of `authorizer` cost as much as in Kubernetes from 1.32 on. */
  readonly areChecksDear: boolean;
}

interface FormValues {
  /** What match conditions see: no namespace (as in Kubernetes). */
  readonly forConditions: ExpressionValues;
  /** What all others see, without a namespace and with it. */
  readonly plain: ExpressionValues;
  withNamespace?: ExpressionValues;
}

/** What expressions see of a request, made once for each form as long as its object is the same. */
export class RequestValues {
  readonly #request: AdmissionRequest;
  readonly #sources: ValueSources;
  #object: ApiObject | undefined;
  readonly #made = new Map<AdmissionForm, FormValues>();
  #namespace: Promise<JsonObject | undefined> | undefined;

  constructor(request: AdmissionRequest, sources: ValueSources) {
    this.#request = request;
    this.#sources = sources;
    this.#object = request.object;
  }

  /** @param param the params of the policy, if it has a kind for them */
  async forConditions(form: AdmissionForm, {paramKind}: Pick<AdmissionPolicy, 'paramKind'>, param?: ApiObject): Promise<ExpressionValues> {
    const {forConditions} = await this.#of(form);
    return paramKind ? withParam(forConditions, param) : forConditions;
  }

  /**
   * @param param the params of the policy, if it has a kind for them
   * @throws StatusError 404 if there is no such namespace
   */
  async of(
    form: AdmissionForm,
    {paramKind, looksAtNamespace}: Pick<AdmissionPolicy, 'paramKind' | 'looksAtNamespace'>,
    param: ApiObject | undefined,
  ): Promise<ExpressionValues> {
    const made = await this.#of(form);
    if (looksAtNamespace) made.withNamespace ??= made.plain.with({namespaceObject: await (this.#namespace ??= this.#readNamespace())});
    const values = looksAtNamespace ? made.withNamespace! : made.plain;
    return paramKind ? withParam(values, param) : values;
  }

  async #of(form: AdmissionForm): Promise<FormValues> {
    const {object} = this.#request;
    if (object !== this.#object) this.#made.clear();
    this.#object = object;
    let made = this.#made.get(form);
    if (!made) this.#made.set(form, (made = await this.#make(form)));
    return made;
  }

  async #make(form: AdmissionForm): Promise<FormValues> {
    const request = this.#request;
    const {scopes, access, areChecksDear} = this.#sources;
    const shown = async (object: ApiObject | undefined) => object && ((await request.shownAs(object, form)) as unknown as JsonObject);
    const values = {
      object: await shown(request.object),
      oldObject: await shown(request.oldObject),
      namespaceObject: undefined,
      get request() {
        return requestValue(request, form);
      },
    };
    const plain = scopes.bind(values, () => requestAuthorizer(request, access, areChecksDear));
    // They see the resource that the request names (as in Kubernetes).
    const isOwn = form === request.forms[0];
    return {plain, forConditions: isOwn ? plain : plain.with({request: {...values.request, resource: {...request.resource}}})};
  }

  /** None for cluster-scoped objects, and for namespaces themselves. */
  async #readNamespace(): Promise<JsonObject | undefined> {
    const {namespace, kind} = this.#request;
    if (namespace === '' || (kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace')) return undefined;
    return namespaceValue(await readCachedFirst(this.#sources.resources, namespaces, '', namespace));
  }
}

function withParam(values: ExpressionValues, param: ApiObject | undefined): ExpressionValues {
  return values.with({params: param as JsonObject | undefined});
}

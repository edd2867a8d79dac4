import type {AdmissionForm, AdmissionRequest, ApiObject, ExpressionValues, JsonObject} from '../../../sdk/index.js';
import type {AdmissionPolicy} from './admission-policy.js';
import {requestValue} from './request-variable.js';

/** What expressions see of a request, made once for each form as long as its object is the same. */
export class RequestValues {
  readonly #request: AdmissionRequest;
  #object: ApiObject | undefined;
  readonly #made = new Map<AdmissionForm, Map<string, ExpressionValues>>();

  constructor(request: AdmissionRequest) {
    this.#request = request;
    this.#object = request.object;
  }

  /** @param param the params of the policy, if it has a kind for them */
  async of(form: AdmissionForm, policy: AdmissionPolicy, param: ApiObject | undefined): Promise<ExpressionValues> {
    const {object} = this.#request;
    if (object !== this.#object) this.#made.clear();
    this.#object = object;
    const which = `${policy.isComposed} ${policy.paramKind !== undefined}`;
    let made = this.#made.get(form);
    if (!made) this.#made.set(form, (made = new Map()));
    let values = made.get(which);
    if (!values) made.set(which, (values = await this.#make(form, policy)));
    return policy.paramKind ? values.with({params: param as JsonObject | undefined}) : values;
  }

  async #make(form: AdmissionForm, {scopes, paramKind}: AdmissionPolicy): Promise<ExpressionValues> {
    const request = this.#request;
    const shown = async (object: ApiObject | undefined) => object && ((await request.shownAs(object, form)) as unknown as JsonObject);
    return scopes.bind(
      {object: await shown(request.object), oldObject: await shown(request.oldObject), request: requestValue(request, form)},
      paramKind !== undefined,
    );
  }
}

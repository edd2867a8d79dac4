import type {ApiObject} from '../../../sdk/index.js';
import type {SubresourceView} from '../subresources/subresource-view.js';

/** Admission's view of a write through a subresource that shows only parts of an object, such as its `Scale`. */
export class AdmittedPart {
  #whole: ApiObject | undefined;
  #part: ApiObject | undefined;
  readonly #write: {object: ApiObject};
  readonly #view: SubresourceView;

  constructor(write: {object: ApiObject}, view: SubresourceView) {
    this.#write = write;
    this.#view = view;
  }

  /** Created again for each object that the write produces; may be modified in place. */
  get object(): ApiObject {
    const {object} = this.#write;
    if (this.#whole !== object) {
      this.#whole = object;
      this.#part = this.#view.admitted!(object);
    }
    return this.#part!;
  }

  set object(part: ApiObject) {
    this.#whole = this.#write.object;
    this.#part = part;
  }

  /** Applies admission's changes of the part to the object of the write, which is replaced. */
  take(): void {
    if (this.#whole !== this.#write.object) return;
    this.#write.object = this.#view.merge(this.#write.object, this.#part!);
  }
}

/** Objects that a view of the console asks for. */
export interface ViewTarget {
  /** As it is served; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for types without namespaces, and for all of them. */
  readonly namespace?: string;
  /** Of one object; empty for all. */
  readonly name?: string;
  readonly subresource?: string;
  /** Parameters of the request: `labelSelector`, `limit`. */
  readonly query?: Readonly<Record<string, string>>;
}

/** What a view may ask the server: as the user who looks at it, and no more than its manifest says. */
export interface ViewClient {
  /** An object, or a list of them. Rejects with the server's words if it is refused, as all of these. */
  get(target: ViewTarget): Promise<unknown>;
  create(target: ViewTarget, object: object): Promise<unknown>;
  update(target: ViewTarget, object: object): Promise<unknown>;
  /** Merges a patch into an object. */
  patch(target: ViewTarget, patch: object): Promise<unknown>;
  delete(target: ViewTarget): Promise<unknown>;
}

/** What a view is given. */
export interface ViewContext<Root = unknown> {
  /** Where it shows itself: an `HTMLElement`. */
  readonly root: Root;
  readonly client: ViewClient;
  /** The namespace that is chosen in the console; empty for all. */
  readonly namespace: string;
  readonly theme: 'light' | 'dark';
  /** Shows an object in the console. */
  open(target: ViewTarget): void;
}

/** What the module of a view exports by default: shows it. */
export type ConsoleView<Root = unknown> = (context: ViewContext<Root>) => void | Promise<void>;

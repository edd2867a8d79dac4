/** What the pages have to know about the server before anything else (the plugin's `facts.json`). */
export interface Facts {
  readonly platform: string;
  /** Suffix of the platform's API groups: `orch` or `k8s.io`. */
  readonly groupSuffix: string;
  readonly keyPrefix: string;
  readonly headerPrefix: string;
  /** Of Kubernetes: `1.36`. */
  readonly release: string;
  /** The provider that people may sign in with; undefined if there is none. */
  readonly oidcIssuer?: string;
}

let facts: Facts | undefined;

export async function loadFacts(): Promise<void> {
  const response = await fetch('/console/facts.json', {credentials: 'same-origin'});
  if (!response.ok) throw new Error(`the server answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  facts = (await response.json()) as Facts;
}

/** To be called once they are loaded. */
export function serverFacts(): Facts {
  if (!facts) throw new Error('facts of the server are not there yet');
  return facts;
}

/** A group of the platform by the part before its suffix: `meta` is `meta.k8s.io`. */
export function platformGroup(name: string): string {
  return `${name}.${serverFacts().groupSuffix}`;
}

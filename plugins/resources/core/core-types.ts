import type {ApiObject} from '../../../sdk/index.js';

/** Fields of the core group's types as far as their behaviour looks at them; the schema file has them all. */
export interface Namespace extends ApiObject {
  spec?: {finalizers?: string[]};
  status?: NamespaceStatus;
}

export interface NamespaceStatus {
  phase?: string;
  conditions?: {type: string; status: string; lastTransitionTime?: string | null; reason?: string; message?: string}[];
}

export interface ConfigMap extends ApiObject {
  immutable?: boolean;
  data?: Record<string, string>;
  /** Values are base64. */
  binaryData?: Record<string, string>;
}

export interface Secret extends ApiObject {
  immutable?: boolean;
  type?: string;
  /** Values are base64. */
  data?: Record<string, string>;
  /** Plain texts that a client may send instead of `data`; never stored. */
  stringData?: Record<string, string>;
}

export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  fieldPath?: string;
}

export interface Event extends ApiObject {
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source?: {component?: string; host?: string};
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  type?: string;
  eventTime?: string | null;
  series?: {count?: number; lastObservedTime?: string | null} | null;
  action?: string;
  reportingComponent?: string;
  reportingInstance?: string;
}

import {
  jsonText,
  type AuditEvent,
  type AuditLevel,
  type AuditObjectReference,
  type AuditStage,
  type Status,
  type UserInfo,
} from '../../../sdk/index.js';

/** What the stages of a request have in common. */
export interface AuditFacts {
  readonly auditID: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  /** In terms of `performance.now()`. */
  readonly receivedAt: number;
}

/** Names that depend on the naming profile. */
export interface AuditNames {
  readonly apiVersion: string;
  /** The annotation of events without their bodies. */
  readonly truncated: string;
}

/** The part of an event that differs from stage to stage. */
export interface AuditMoment {
  readonly level: AuditLevel;
  readonly stage: AuditStage;
  readonly impersonatedUser: UserInfo | undefined;
  readonly objectRef: AuditObjectReference | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  /** Complete JSON on one line. */
  readonly requestObject: Buffer | undefined;
  readonly responseObject: Buffer | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** Bodies were left out because of their size. */
  readonly truncated: boolean;
}

const userTexts = new WeakMap<UserInfo, string>();

/** An event, assembled from existing parts: bodies are the bytes that were received or are sent. */
export class RecordedEvent implements AuditEvent {
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly #facts: AuditFacts;
  readonly #moment: AuditMoment;
  readonly #names: AuditNames;
  #json: Buffer | undefined;

  constructor(facts: AuditFacts, moment: AuditMoment, names: AuditNames, stageTimestamp = microTime(performance.now())) {
    this.#facts = facts;
    this.#moment = moment;
    this.#names = names;
    this.stageTimestamp = stageTimestamp;
    this.requestReceivedTimestamp = moment.stage === 'RequestReceived' ? stageTimestamp : microTime(facts.receivedAt);
  }

  get level() {
    return this.#moment.level;
  }
  get auditID() {
    return this.#facts.auditID;
  }
  get stage() {
    return this.#moment.stage;
  }
  get requestURI() {
    return this.#facts.requestURI;
  }
  get verb() {
    return this.#facts.verb;
  }
  get user() {
    return this.#facts.user;
  }
  get impersonatedUser() {
    return this.#moment.impersonatedUser;
  }
  get sourceIPs() {
    return this.#facts.sourceIPs;
  }
  get userAgent() {
    return this.#facts.userAgent;
  }
  get objectRef() {
    return this.#moment.objectRef;
  }
  get responseStatus() {
    return this.#moment.responseStatus;
  }

  get annotations(): Readonly<Record<string, string>> | undefined {
    const {annotations, truncated} = this.#moment;
    return truncated ? {...annotations, [this.#names.truncated]: 'true'} : annotations;
  }

  get json(): Buffer {
    return (this.#json ??= this.#text());
  }

  withoutBodies(): AuditEvent {
    const moment = {...this.#moment, requestObject: undefined, responseObject: undefined, truncated: true};
    return new RecordedEvent(this.#facts, moment, this.#names, this.stageTimestamp);
  }

  #text(): Buffer {
    const {user, impersonatedUser, sourceIPs, userAgent, objectRef, responseStatus, annotations} = this;
    const {requestObject, responseObject} = this.#moment;
    const text = (value: string) => JSON.stringify(value);
    const head =
      `{"kind":"Event","apiVersion":${text(this.#names.apiVersion)},"level":"${this.level}","auditID":${text(this.auditID)},` +
      `"stage":"${this.stage}","requestURI":${text(this.requestURI)},"verb":${text(this.verb)},"user":${userText(user)}` +
      (impersonatedUser ? `,"impersonatedUser":${userText(impersonatedUser)}` : '') +
      (sourceIPs.length > 0 ? `,"sourceIPs":${JSON.stringify(sourceIPs)}` : '') +
      (userAgent === '' ? '' : `,"userAgent":${text(userAgent)}`) +
      (objectRef ? `,"objectRef":${JSON.stringify(objectRef)}` : '') +
      (responseStatus ? `,"responseStatus":${jsonText({metadata: {}, ...responseStatus})}` : '');
    const tail =
      `,"requestReceivedTimestamp":"${this.requestReceivedTimestamp}","stageTimestamp":"${this.stageTimestamp}"` +
      (annotations ? `,"annotations":${JSON.stringify(annotations)}}` : '}');
    if (!requestObject && !responseObject) return Buffer.from(head + tail);
    return Buffer.concat([
      Buffer.from(requestObject ? `${head},"requestObject":` : head),
      ...(requestObject ? [requestObject] : []),
      ...(responseObject ? [Buffer.from(',"responseObject":'), responseObject] : []),
      Buffer.from(tail),
    ]);
  }
}

/** Written once for as long as an authenticator caches the user. */
function userText(user: UserInfo | undefined): string {
  if (!user) return '{}';
  let known = userTexts.get(user);
  if (known === undefined) {
    const {username, uid, groups, extra} = user;
    known = JSON.stringify({username, uid, ...(groups.length > 0 ? {groups} : {}), extra});
    userTexts.set(user, known);
  }
  return known;
}

/** A time of `performance.now()` with microseconds, in the form of `metav1.MicroTime`. */
function microTime(time: number): string {
  const micros = Math.floor((performance.timeOrigin + time) * 1000);
  const millis = Math.floor(micros / 1000);
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros - millis * 1000).padStart(3, '0')}Z`;
}

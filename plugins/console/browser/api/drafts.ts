import {user} from './session.js';
import type {ApiObject} from './types.js';

/** A text that somebody edits, and the object that it began with. */
export interface Draft {
  readonly base: ApiObject;
  readonly text: string;
}

/** Most texts that are kept: the oldest goes first. */
const mostKept = 20;

const drafts = new Map<string, Draft & {readonly username: string}>();

/** Who edits: it has to be asked while somebody is signed in. */
export function draftOwner(): string {
  return user.value?.username ?? '';
}

/** Keeps what is edited when its view goes, because a session has ended or another tab is looked at: in the memory of the page, for the same user. @param path of the object */
export function keepDraft(path: string, username: string, draft: Draft): void {
  drafts.delete(path);
  drafts.set(path, {...draft, username});
  const [oldest] = drafts.keys();
  if (drafts.size > mostKept && oldest !== undefined) drafts.delete(oldest);
}

/** What was kept of this very object for this user, once. */
export function takeDraft(path: string, uid: string): Draft | undefined {
  const draft = drafts.get(path);
  drafts.delete(path);
  return draft?.username === draftOwner() && draft.base.metadata.uid === uid ? draft : undefined;
}

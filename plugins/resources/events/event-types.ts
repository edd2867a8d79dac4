import type {Unchecked} from '../../../sdk/index.js';
import type * as events from '../../../sdk/types/events/v1.js';

/** The time of an event that was written in the form of the core group is null. */
export type Event = Omit<Unchecked<events.Event>, 'eventTime'> & {eventTime?: string | null};

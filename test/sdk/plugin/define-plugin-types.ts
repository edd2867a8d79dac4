import {
  defineAdmission,
  defineController,
  definePlugin,
  defineResource,
  inject,
  Tokens,
  type Logger,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';

/**
 * What must not compile: the compiler complains about each `@ts-expect-error` below which no error follows. The build compiles this file; nothing runs it.
 */
export const misuses = [
  definePlugin({name: 'typed', config: {type: 'object', properties: {slack: {type: 'integer', default: 5}, room: {type: 'string'}}}}, [
    defineAdmission({
      name: 'Typed',
      operations: ['CREATE'],
      create({config, inject: use}) {
        const slack: number = config.slack;
        const room: string | undefined = config.room;
        // @ts-expect-error a setting without default may be missing
        const always: string = config.room;
        // @ts-expect-error there is no such setting
        const none: unknown = config.slak;
        const resources: ResourceClient = use(Tokens.Resources);
        // @ts-expect-error the token has another type
        const naming: NamingProfile = use(Tokens.Logger);
        return {validate: ({name}) => void [slack, room, always, none, resources, naming, name]};
      },
    }),
    // @ts-expect-error a method that the contract does not have
    defineAdmission({name: 'Misspelled', operations: ['CREATE'], create: () => ({validate: () => undefined, admitt: () => undefined})}),
    // @ts-expect-error an operation that there is not
    defineAdmission({name: 'Wrong', operations: ['READ'], create: () => ({validate: () => undefined})}),
    // @ts-expect-error an unknown member
    defineController({name: 'loop', leader: true, create: () => ({start: async () => undefined, stop: async () => undefined})}),
    // @ts-expect-error a controller that cannot be stopped
    defineController({name: 'loop', create: () => ({start: async () => undefined})}),
    defineResource({
      group: 'rooms.example.com',
      names: {plural: 'rooms', kind: 'Room'},
      scope: 'Cluster',
      // @ts-expect-error a method that strategies do not have
      strategy: () => ({validateCreat: () => []}),
      versions: [],
    }),
  ]),
  // @ts-expect-error an unknown member of the plugin
  definePlugin({name: 'typed', requirez: []}, []),
];

/** Parameters of constructors have the type of their token. */
export class Injected {
  constructor(
    @inject(Tokens.Logger) readonly logger: Logger,
    @inject(Tokens.Config) readonly config: {readonly slack: number},
    // @ts-expect-error the token has another type
    @inject(Tokens.Logger) readonly naming: NamingProfile,
  ) {}
}

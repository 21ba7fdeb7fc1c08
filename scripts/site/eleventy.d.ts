// What we use of Eleventy, which comes without types.
declare module '@11ty/eleventy' {
  interface UserConfig {
    addTemplate(path: string, content: string, data: object): void;
    addExtension(
      name: string,
      options: { compile(text: string, path: string): () => Promise<string> },
    ): void;
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void;
    setQuietMode(isQuiet: boolean): void;
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { configPath: false; quietMode: boolean; config(user: UserConfig): void },
    );
    write(): Promise<void>;
  }
}

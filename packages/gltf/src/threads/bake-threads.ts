/** Threads that work beside the one that bakes: they are told once what their tasks are about, and a task and its answer are data alone. */
export interface BakeThreads {
  /** What tasks of a kind (create-bake-thread.ts) are about. */
  share(kind: string, work: unknown): void;
  /** The answers in the order of the tasks, whoever gave them; `here` answers on this thread. */
  run<Task, Answer>(
    kind: string,
    tasks: readonly Task[],
    here: (task: Task) => Answer | Promise<Answer>,
    onDone?: (task: Task) => void,
  ): Promise<Answer[]>;
}

/** On threads that know what it is about; without any, here. */
export async function runTasks<Task, Answer>(
  threads: BakeThreads | undefined,
  kind: string,
  tasks: readonly Task[],
  here: (task: Task) => Answer,
  onDone: (task: Task) => void = () => {},
): Promise<Answer[]> {
  if (threads && tasks.length > 1) return threads.run(kind, tasks, here, onDone);
  return tasks.map((task) => {
    const answer = here(task);
    onDone(task);
    return answer;
  });
}

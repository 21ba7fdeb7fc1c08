import { Skeleton } from '../../ui/data/skeleton.tsx';

/** Stands where a report will: over many payments it takes a while. */
export function AddingUp() {
  return (
    <>
      <p className="quiet">
        Adding up your payments. With hundreds of thousands of them this takes a few seconds.
      </p>
      <Skeleton lines={4} />
    </>
  );
}

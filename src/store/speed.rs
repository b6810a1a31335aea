//! How long the index takes at the size of a large repository. Runs when `RUN_SLOW_TESTS` is set, best with
//! `--release`: `RUN_SLOW_TESTS=1 cargo test --release --lib store::speed -- --nocapture`.

use std::time::Instant;

use crate::model::{
    Answer, Basis, EntityId, EntityRecord, FileId, FileRecord, Relationship, RelationshipKind, Resolution, question,
};
use crate::store::rows::Resolved;
use crate::store::write::bulk::BulkBuilder;
use crate::store::{Store, sample};

/// A repository of about this size: sympy.
const FILES: u32 = 1_600;
const ENTITIES_PER_FILE: u32 = 38;
const RELATIONSHIPS_PER_FILE: u32 = 820;
const QUESTIONS_PER_FILE: u32 = 310;
const ANSWERS_PER_FILE: u32 = 40;
const UNRESOLVED_PER_FILE: u32 = 50;
const FACT_BYTES: u32 = 15_000;

struct Input {
    files: Vec<(FileId, FileRecord)>,
    entities: Vec<Vec<EntityRecord>>,
    resolutions: Vec<Resolution>,
    facts: Vec<u8>,
}

/// Numbers without a pattern, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from((self.0 >> 11) % u64::from(limit)).unwrap()
    }
}

fn input() -> Input {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let names: Vec<String> = (1..ENTITIES_PER_FILE).map(|n| format!("Class{}.method_{n}", n / 10)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let all = FILES * ENTITIES_PER_FILE;
    let mut input = Input { files: vec![], entities: vec![], resolutions: vec![], facts: vec![] };
    input.facts = (0..FACT_BYTES).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
    for file in 0..FILES {
        let mut record = sample::file(&format!("package/part_{}/module_{file}.py", file % 40), 1);
        record.content_hash[..4].copy_from_slice(&dice.below(u32::MAX).to_be_bytes());
        input.files.push((FileId(file + 1), record));
        input.entities.push(sample::entities("package.module", &names, 10));
        input.resolutions.push(resolution(&mut dice, file * ENTITIES_PER_FILE + 1, all));
    }
    input
}

fn resolution(dice: &mut Dice, first: u32, all: u32) -> Resolution {
    let mut resolution = Resolution::default();
    for _ in 0..RELATIONSHIPS_PER_FILE {
        // Half of the relationships stay in the file; the others prefer a few popular targets.
        let own = EntityId(first + dice.below(ENTITIES_PER_FILE));
        let spread = 1 + dice.below(all);
        let target = if dice.below(2) == 0 { own } else { EntityId(1 + dice.below(spread)) };
        resolution.relationships.push(Relationship {
            target,
            kind: RelationshipKind::ALL[dice.below(10) as usize],
            source: EntityId(first + dice.below(ENTITIES_PER_FILE)),
            line: 1 + dice.below(2_000),
            column: dice.below(80),
            basis: Basis::ALL[dice.below(12) as usize],
        });
    }
    for n in 0..UNRESOLVED_PER_FILE {
        let name = format!("attribute_{}", dice.below(5_000));
        resolution.unresolved.push(sample::unresolved(EntityId(first), &name, n));
    }
    let hash = |n: u32| (u64::from(n) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    resolution.questions.extend((0..QUESTIONS_PER_FILE).map(|_| question(hash(dice.below(200_000)))));
    for _ in 0..ANSWERS_PER_FILE {
        let values = (0..=dice.below(3)).map(|_| u64::from(dice.below(all)) << 4 | 2).collect();
        resolution.answers.push(Answer { key: hash(dice.below(60_000)), level: 1, values });
    }
    resolution.relationships.sort_unstable();
    resolution.unresolved.sort_unstable();
    resolution.questions.sort_unstable();
    resolution.questions.dedup();
    resolution.answers.sort_unstable();
    resolution.answers.dedup_by_key(|answer| answer.key);
    resolution
}

/// Lines of figures and the start of the one under way.
struct Clock(Vec<String>, Instant, f64);

impl Clock {
    /// Wall time, and for machines that are doing other things too, the time that this thread really ran.
    fn lap(&mut self, what: &str) {
        let wall = self.1.elapsed().as_secs_f64() * 1e3;
        self.0.push(format!("{what:<34} {wall:8.2} ms  (ran {:8.2} ms)", running_ms() - self.2));
        self.start();
    }

    fn start(&mut self) {
        (self.1, self.2) = (Instant::now(), running_ms());
    }
}

fn running_ms() -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    schedule.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

fn build(dir: &std::path::Path, input: &Input, clock: &mut Clock) -> Store {
    let lock = Store::lock_for_writing(dir).unwrap();
    clock.lap("lock");
    let mut builder = BulkBuilder::new(&lock).unwrap();
    for (id, file) in &input.files {
        builder.add_file(*id, file).unwrap();
    }
    clock.lap("files");
    for (_, file) in &input.files {
        builder.add_facts(&file.content_hash, &input.facts[..5_000], &input.facts[5_000..]).unwrap();
    }
    clock.lap("facts");
    for ((id, _), entities) in input.files.iter().zip(&input.entities) {
        builder.add_entities(*id, EntityId((id.0 - 1) * ENTITIES_PER_FILE + 1), entities).unwrap();
    }
    clock.lap("entities");
    let resolved = |resolution| Resolved::of(resolution).unwrap();
    let resolutions =
        input.files.iter().zip(&input.resolutions).map(|((id, _), resolution)| (*id, resolved(resolution)));
    let resolutions: Vec<_> = resolutions.collect();
    let loaded = builder.end_load().unwrap();
    clock.lap("indexes");
    let store = loaded.finish(&resolutions).unwrap();
    clock.lap("finish");
    store
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measurements are asked for in the environment")]
fn a_large_repository_in_time() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let input = input();
    let dir = tempfile::tempdir().unwrap();
    let mut clock = Clock(vec![], Instant::now(), running_ms());
    let started = Instant::now();
    drop(build(dir.path(), &input, &mut clock));
    clock.0.push(format!("FULL BUILD {:.2} s", started.elapsed().as_secs_f64()));
    let size = std::fs::metadata(dir.path().join("index.db")).unwrap().len();
    clock.0.push(format!("size {} kB", size / 1000));

    for round in 0..5 {
        clock.start();
        let mut store = Store::open(dir.path()).unwrap();
        clock.lap("open");
        let update = store.write().unwrap();
        clock.lap("write");
        let file = FileId(800 + round);
        let record = update.file(file).unwrap().unwrap();
        update.put_file(&record).unwrap();
        update.put_facts(&[u8::try_from(round).unwrap(); 32], &input.facts[..5_000], &input.facts[5_000..]).unwrap();
        let mut entities = input.entities[0].clone();
        entities.iter_mut().skip(20).for_each(|entity| entity.line += 1);
        update.put_entities(file, &entities).unwrap();
        clock.lap("file, facts, entities");
        let mut resolution = update.resolution(file).unwrap().unwrap();
        resolution.relationships.iter_mut().step_by(4).for_each(|relationship| relationship.line += 1);
        resolution.relationships.sort_unstable();
        resolution.questions.iter_mut().step_by(40).for_each(|key| *key += 1);
        resolution.questions.sort_unstable();
        update.put_resolution(file, &resolution).unwrap();
        clock.lap("resolution");
        update.collect_garbage(1_000).unwrap();
        clock.lap("garbage");
        update.commit().unwrap();
        clock.lap("commit");
        drop(store);
        clock.lap("close");
    }
    let store = Store::open_read_only(dir.path()).unwrap();
    clock.lap("open to read");
    store.files().unwrap();
    clock.lap("files");
    store.counts().unwrap();
    clock.lap("counts");
    store.names().unwrap();
    clock.lap("names");
    let mut count = 0;
    for id in 1..1_000 {
        count += store.incoming(EntityId(id)).unwrap().len();
    }
    clock.lap(&format!("incoming 1000 times, {count} rows"));
    for round in ["first", "second"] {
        for id in 1..1_000 {
            store.entity(EntityId(id * 7)).unwrap();
        }
        clock.lap(&format!("entity 1000 times, {round} time"));
    }
    let mut count = 0;
    store.export_entities(&mut |_| count += 1).unwrap();
    clock.lap(&format!("export {count} entities"));
    let mut count = 0;
    store.export_edges(&mut |_| count += 1).unwrap();
    clock.lap(&format!("export {count} edges"));
    drop(store);
    let started = Instant::now();
    clock.start();
    drop(build(dir.path(), &input, &mut clock));
    clock.0.push(format!("FULL BUILD over the old one {:.2} s", started.elapsed().as_secs_f64()));
    let other = tempfile::tempdir().unwrap();
    let lock = Store::lock_for_writing(other.path()).unwrap();
    clock.start();
    drop(Store::seed_from(&lock, dir.path()).unwrap());
    clock.lap("seed");
    eprintln!("{}", clock.0.join("\n"));
}

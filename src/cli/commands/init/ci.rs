//! The file that has each pull request reviewed, on the service that hosts the repository.

use std::{fs, io, path::Path};

use crate::git::Repository;

/// A service that runs jobs for a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    GitHub,
    GitLab,
}

/// The state of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobFile {
    Absent,
    Ours,
    /// Somebody has changed it, or another version wrote it.
    Foreign,
}

impl Service {
    pub(super) const ALL: [Self; 2] = [Self::GitHub, Self::GitLab];

    /// The service that hosts the repository, as far as its files or its remote tell.
    pub(super) fn of(repo: &Repository) -> Option<Self> {
        let root = repo.root()?;
        let by_files = Self::ALL.into_iter().find(|service| root.join(service.sign()).exists());
        let remote = || repo.ask_git(&["config", "--get", "remote.origin.url"]).ok().flatten().unwrap_or_default();
        by_files.or_else(|| {
            let remote = remote();
            Self::ALL.into_iter().find(|service| remote.contains(service.host()))
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::GitHub => "GitHub",
            Self::GitLab => "GitLab",
        }
    }

    /// The file with the job, relative to the root.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::GitHub => ".github/workflows/repoidx.yml",
            Self::GitLab => ".gitlab/repoidx.yml",
        }
    }

    /// The step that is left to the user, if there is one.
    pub(super) fn next_step(self) -> &'static str {
        match self {
            Self::GitHub => "commit it, and the next pull request is reviewed",
            Self::GitLab => "add it to .gitlab-ci.yml: include: [{ local: .gitlab/repoidx.yml }]",
        }
    }

    pub(super) fn state(self, root: &Path) -> JobFile {
        match fs::read(root.join(self.path())) {
            Ok(bytes) if bytes == self.text().as_bytes() => JobFile::Ours,
            Ok(_) => JobFile::Foreign,
            Err(error) if error.kind() == io::ErrorKind::NotFound => JobFile::Absent,
            Err(_) => JobFile::Foreign,
        }
    }

    pub(super) fn write(self, root: &Path) -> io::Result<()> {
        let place = root.join(self.path());
        fs::create_dir_all(place.parent().unwrap_or(root))?;
        fs::write(place, self.text())
    }

    /// Deletes the file and the folders that it leaves empty.
    pub(super) fn remove(self, root: &Path) -> io::Result<()> {
        fs::remove_file(root.join(self.path()))?;
        for folder in Path::new(self.path()).ancestors().skip(1).filter(|folder| *folder != Path::new("")) {
            if fs::remove_dir(root.join(folder)).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// A file or folder by which the service is known.
    fn sign(self) -> &'static str {
        match self {
            Self::GitHub => ".github",
            Self::GitLab => ".gitlab-ci.yml",
        }
    }

    fn host(self) -> &'static str {
        match self {
            Self::GitHub => "github.",
            Self::GitLab => "gitlab.",
        }
    }

    fn text(self) -> String {
        let template = match self {
            Self::GitHub => include_str!("../../../../templates/ci/github.yml"),
            Self::GitLab => include_str!("../../../../templates/ci/gitlab.yml"),
        };
        template.replace("VERSION", env!("CARGO_PKG_VERSION"))
    }
}
